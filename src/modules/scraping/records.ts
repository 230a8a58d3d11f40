import type { PostAnalysis, Sentiment } from '../../enrichment/enrichment.js';
import type { PlatformComment, PlatformPost } from '../../platforms/platform.js';
import { type CommentRecord, commentNumber } from '../comments/comment.entity.js';
import type { PostRecord } from '../posts/post.entity.js';

export type PostRow = Omit<PostRecord, 'workspaceId'> & Annotated;
export type CommentRow = Omit<CommentRecord, 'workspaceId'> & Annotated;

/** What plugins noted. */
interface Annotated {
  annotations: Record<string, unknown>;
}

/** What is stored of a post: the platform's view and the analysis of it. */
export function toPostRow(
  post: PlatformPost,
  analysis: PostAnalysis,
  annotations: Record<string, unknown>,
  scrapedAt: Date,
): PostRow {
  return {
    ...post,
    sentimentScore: analysis.sentiment.score,
    sentimentLabel: analysis.sentiment.label,
    keywords: analysis.keywords,
    scrapedAt,
    annotations,
  };
}

export function toCommentRow(
  comment: PlatformComment,
  sentiment: Sentiment,
  annotations: Record<string, unknown>,
  scrapedAt: Date,
): CommentRow {
  return {
    ...comment,
    id: commentNumber(comment.id),
    commentId: comment.id,
    sentimentScore: sentiment.score,
    sentimentLabel: sentiment.label,
    scrapedAt,
    annotations,
  };
}
