import type { PostAnalysis, Sentiment } from '../../enrichment/enrichment.js';
import type { PlatformComment, PlatformPost } from '../../platforms/platform.js';
import { type CommentRecord, commentNumber } from '../comments/comment.entity.js';
import type { PostRecord } from '../posts/post.entity.js';

export type PostRow = Omit<PostRecord, 'workspace_id'> & Annotated;
export type CommentRow = Omit<CommentRecord, 'workspace_id'> & Annotated;

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
    id: post.id,
    forum: post.forum,
    title: post.title,
    author: post.author,
    created_utc: post.createdUtc,
    permalink: post.permalink,
    url: post.url,
    score: post.score,
    upvote_ratio: post.upvoteRatio,
    num_comments: post.numComments,
    selftext: post.selftext,
    post_type: post.postType,
    is_nsfw: post.isNsfw,
    is_spoiler: post.isSpoiler,
    flair: post.flair,
    total_awards: post.totalAwards,
    has_media: post.hasMedia,
    media_urls: post.mediaUrls,
    sentiment_score: analysis.sentiment.score,
    sentiment_label: analysis.sentiment.label,
    keywords: analysis.keywords,
    scraped_at: scrapedAt,
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
    id: commentNumber(comment.id),
    comment_id: comment.id,
    post_id: comment.postId,
    post_permalink: comment.postPermalink,
    parent_id: comment.parentId,
    author: comment.author,
    body: comment.body,
    score: comment.score,
    created_utc: comment.createdUtc,
    depth: comment.depth,
    is_submitter: comment.isSubmitter,
    sentiment_score: sentiment.score,
    sentiment_label: sentiment.label,
    scraped_at: scrapedAt,
    annotations,
  };
}
