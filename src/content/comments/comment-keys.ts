/** Ids of a site's posts and comments may be equal, so tables of both name comments with this prefix. */
export const COMMENT_PREFIX = 'comment:';

/** The id under which a comment is stored among posts. */
export const keyOfComment = (commentId: string): string => COMMENT_PREFIX + commentId;

/** The comment's id if a key is that of a comment, otherwise null. */
export const commentIdOf = (key: string): string | null =>
  key.startsWith(COMMENT_PREFIX) ? key.slice(COMMENT_PREFIX.length) : null;

/** The ids of the posts and of the comments among keys, each in their order. */
export const idsByKind = (keys: readonly string[]): { postIds: string[]; commentIds: string[] } => ({
  postIds: keys.filter((key) => commentIdOf(key) === null),
  commentIds: keys.map(commentIdOf).filter((id) => id !== null),
});
