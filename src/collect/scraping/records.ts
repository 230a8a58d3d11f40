import type { CommentDraft, PostDraft } from '../../enrichment/enrichment-step.js';
import { SOURCES } from '../../platforms/registry.js';
import type { NewComment } from '../../content/comments/comments.repository.js';
import type { PostRecord } from '../../content/posts/post.entity.js';

/** The stored fields of a post, without its workspace. */
export type PostRow = Omit<PostRecord, 'workspaceId'> & Annotated;
/** The stored fields of a comment, without its workspace. */
export type CommentRow = NewComment & Annotated;

interface Annotated {
  annotations: Record<string, unknown>;
}

/**
 * Combines a platform post with its enrichment. Lists every field, as does {@link toCommentRow}: copying them with the
 * spread operator creates slow objects and took a third of the processor time of storing a post.
 */
export function toPostRow(
  { post, language, sentiment, keywords, annotations }: PostDraft,
  scrapedAt: Date,
): PostRow {
  return {
    id: post.id,
    forum: post.forum,
    title: post.title,
    author: post.author,
    createdUtc: post.createdUtc,
    permalink: post.permalink,
    url: post.url,
    score: post.score,
    upvoteRatio: post.upvoteRatio,
    numComments: post.numComments,
    selftext: post.selftext,
    postType: post.postType,
    isNsfw: post.isNsfw,
    isSpoiler: post.isSpoiler,
    flair: post.flair,
    totalAwards: post.totalAwards,
    hasMedia: post.hasMedia,
    mediaUrls: post.mediaUrls,
    sentimentScore: sentiment.score,
    sentimentLabel: sentiment.label,
    keywords,
    language: language.language,
    unknownFields: [...(post.unknownFields ?? [])],
    scrapedAt,
    annotations,
  };
}

/** Combines a platform comment with its enrichment. */
export function toCommentRow(
  { comment, language, sentiment, annotations }: CommentDraft,
  scrapedAt: Date,
): CommentRow {
  return {
    id: SOURCES.commentNumber(comment.id),
    commentId: comment.id,
    postId: comment.postId,
    forum: comment.forum,
    postPermalink: comment.postPermalink,
    parentId: comment.parentId,
    author: comment.author,
    body: comment.body,
    score: comment.score,
    createdUtc: comment.createdUtc,
    depth: comment.depth,
    isSubmitter: comment.isSubmitter,
    sentimentScore: sentiment.score,
    sentimentLabel: sentiment.label,
    language: language.language,
    scrapedAt,
    annotations,
  };
}
