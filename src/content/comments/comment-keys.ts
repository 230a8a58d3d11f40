/** Ids of a site's posts and comments may be equal, so tables of both name comments with this prefix. */
export const COMMENT_PREFIX = 'comment:';

/** The id under which a comment is stored among posts. */
export const keyOfComment = (commentId: string): string => COMMENT_PREFIX + commentId;

/** The comment's id if a key is that of a comment, otherwise null. */
export const commentIdOf = (key: string): string | null =>
  key.startsWith(COMMENT_PREFIX) ? key.slice(COMMENT_PREFIX.length) : null;
