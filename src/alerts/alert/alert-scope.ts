/** The texts that an alert watches. */
export const ALERT_SCOPES = ['posts', 'comments', 'all'] as const;
export type AlertScope = (typeof ALERT_SCOPES)[number];

/** Whether an alert with this scope watches posts or comments. */
export const watches = (scope: AlertScope, kind: 'posts' | 'comments'): boolean =>
  scope === 'all' || scope === kind;

/** Ids of a site's posts and comments may be equal, so matches name comments with this prefix. */
export const COMMENT_PREFIX = 'comment:';

/** The comment's id if a match is of a comment, otherwise null. */
export const commentIdOf = (matchedId: string): string | null =>
  matchedId.startsWith(COMMENT_PREFIX) ? matchedId.slice(COMMENT_PREFIX.length) : null;

/** The id under which the match of a comment is stored. */
export const matchedCommentId = (commentId: string): string => COMMENT_PREFIX + commentId;

/** The parts of an alert that matching needs. */
export interface MatchableAlert {
  id: string;
  keywords: readonly string[];
  /** In the language of `q`; null for an alert of keywords only. */
  query?: string | null;
  /** Empty for every forum. Compared without regard to case. */
  forums: readonly string[];
}
