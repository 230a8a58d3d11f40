/**
 * Ids encode positions: a post's number consists of its forum's number and its index, a comment's number of its post's
 * number and its index. Nothing has to be stored to resolve an id. Numbers have at most 49 bits: ten base-36 digits,
 * exact as a JavaScript number.
 */
const POSTS_PER_FORUM = 2 ** 22;
const COMMENTS_PER_POST = 2 ** 17;

/** Maximum number of forums that ids can encode. */
export const MAXIMUM_FORUMS = 2 ** 10 - 1;
/** Maximum number of posts of one forum that ids can encode. */
export const MAXIMUM_POSTS = POSTS_PER_FORUM;
/** Maximum number of comments of one post that ids can encode. */
export const MAXIMUM_COMMENTS = COMMENTS_PER_POST;

const BASE36 = /^[0-9a-z]{1,10}$/;

/** The bare id of a post. `forum` counts from 1; `index` counts from 0, the oldest post. */
export function postId(forum: number, index: number): string {
  return (forum * POSTS_PER_FORUM + index).toString(36);
}

/** The bare id of a comment. `index` counts from 0, the oldest comment of the post. */
export function commentId(forum: number, post: number, index: number): string {
  return ((forum * POSTS_PER_FORUM + post) * COMMENTS_PER_POST + index).toString(36);
}

/** A post by its forum's number (from 1) and its index in the forum (from 0, the oldest). */
export interface PostPosition {
  forum: number;
  index: number;
}

/** A comment by its post and its index in the post (from 0, the oldest). */
export interface CommentPosition extends PostPosition {
  comment: number;
}

/** The position that a bare post id encodes; null when it is malformed. */
export function parsePostId(id: string): PostPosition | null {
  return BASE36.test(id) ? positionOf(parseInt(id, 36)) : null;
}

/** The position that a bare comment id encodes; null when it is malformed. */
export function parseCommentId(id: string): CommentPosition | null {
  if (!BASE36.test(id)) return null;
  const number = parseInt(id, 36);
  const post = positionOf(Math.floor(number / COMMENTS_PER_POST));
  return post && { ...post, comment: number % COMMENTS_PER_POST };
}

/** The bare ids of one platform. All begin with its mark, by which they differ from those of another platform. */
export class ContentIds {
  constructor(private readonly mark: string) {}

  /** As {@link postId}. */
  post(forum: number, index: number): string {
    return this.mark + postId(forum, index);
  }

  /** As {@link commentId}. */
  comment(forum: number, post: number, index: number): string {
    return this.mark + commentId(forum, post, index);
  }

  /** As {@link parsePostId}; null also for an id without the mark. */
  parsePost(id: string): PostPosition | null {
    return id.startsWith(this.mark) ? parsePostId(id.slice(this.mark.length)) : null;
  }

  /** As {@link parseCommentId}; null also for an id without the mark. */
  parseComment(id: string): CommentPosition | null {
    return id.startsWith(this.mark) ? parseCommentId(id.slice(this.mark.length)) : null;
  }
}

function positionOf(number: number): PostPosition | null {
  const forum = Math.floor(number / POSTS_PER_FORUM);
  return forum >= 1 && forum <= MAXIMUM_FORUMS ? { forum, index: number % POSTS_PER_FORUM } : null;
}
