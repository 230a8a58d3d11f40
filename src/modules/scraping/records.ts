import type { CommentDraft, PostDraft } from '../../enrichment/enrichment-step.js';
import { type CommentRecord, commentNumber } from '../comments/comment.entity.js';
import type { PostRecord } from '../posts/post.entity.js';

/** What is stored of a post, without its workspace. */
export type PostRow = Omit<PostRecord, 'workspaceId'> & Annotated;
/** What is stored of a comment, without its workspace. */
export type CommentRow = Omit<CommentRecord, 'workspaceId'> & Annotated;

interface Annotated {
  annotations: Record<string, unknown>;
}

/** The platform's view of a post and what the enrichment added. */
export function toPostRow({ post, sentiment, keywords, annotations }: PostDraft, scrapedAt: Date): PostRow {
  return {
    ...post,
    sentimentScore: sentiment.score,
    sentimentLabel: sentiment.label,
    keywords,
    scrapedAt,
    annotations,
  };
}

/** The platform's view of a comment and what the enrichment added. */
export function toCommentRow({ comment, sentiment, annotations }: CommentDraft, scrapedAt: Date): CommentRow {
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
