/**
 * Ids are positions. A post's number is its forum's number and its index, a comment's number its post's number
 * and its index, so that an id alone says what it names and nothing has to be stored. 49 bits at most: at most
 * ten base36 digits, and exact as a JavaScript number.
 */
const POSTS_PER_FORUM = 2 ** 22;
const COMMENTS_PER_POST = 2 ** 17;

export const MAXIMUM_FORUMS = 2 ** 10 - 1;
export const MAXIMUM_POSTS = POSTS_PER_FORUM;
export const MAXIMUM_COMMENTS = COMMENTS_PER_POST;

const BASE36 = /^[0-9a-z]{1,10}$/;

/** The bare id of a post. `forum` counts from 1, `index` from 0, the oldest post. */
export function postId(forum: number, index: number): string {
  return (forum * POSTS_PER_FORUM + index).toString(36);
}

/** The bare id of a comment. `index` counts from 0, the oldest comment of the post. */
export function commentId(forum: number, post: number, index: number): string {
  return ((forum * POSTS_PER_FORUM + post) * COMMENTS_PER_POST + index).toString(36);
}

export interface PostPosition {
  forum: number;
  index: number;
}

export interface CommentPosition extends PostPosition {
  comment: number;
}

/** What a bare post id names; null when it cannot be one. */
export function parsePostId(id: string): PostPosition | null {
  return BASE36.test(id) ? positionOf(parseInt(id, 36)) : null;
}

/** What a bare comment id names; null when it cannot be one. */
export function parseCommentId(id: string): CommentPosition | null {
  if (!BASE36.test(id)) return null;
  const number = parseInt(id, 36);
  const post = positionOf(Math.floor(number / COMMENTS_PER_POST));
  return post && { ...post, comment: number % COMMENTS_PER_POST };
}

function positionOf(number: number): PostPosition | null {
  const forum = Math.floor(number / POSTS_PER_FORUM);
  return forum >= 1 && forum <= MAXIMUM_FORUMS ? { forum, index: number % POSTS_PER_FORUM } : null;
}
