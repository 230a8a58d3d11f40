import { COMMENT_PREFIX } from '../../content/comments/comment-keys.js';
import type { MatchState } from '../matching/match-state.js';

/** Conditions on a match of a record; an absent field restricts nothing. */
export interface WantedMatch {
  state?: MatchState;
  label?: string;
}

/**
 * The condition that a row of posts or comments has a match, in the inbox, with this state and label; null when any row
 * is wanted. `add` adds a parameter of the statement and returns its placeholder.
 */
export function hasMatch(
  workspaceId: string,
  kind: 'posts' | 'comments',
  { state, label }: WantedMatch,
  add: (value: unknown) => string,
): string | null {
  if (state === undefined && label === undefined) return null;
  const [column, id, isKind] =
    kind === 'posts'
      ? ['id', 'post_id', `NOT starts_with(post_id, '${COMMENT_PREFIX}')`]
      : [
          'comment_id',
          `substr(post_id, ${COMMENT_PREFIX.length + 1})`,
          `starts_with(post_id, '${COMMENT_PREFIX}')`,
        ];
  const where = [
    `workspace_id = ${add(workspaceId)} AND folded_into IS NULL AND ${isKind}`,
    ...(state === undefined ? [] : [`state = ${add(state)}`]),
    ...(label === undefined ? [] : [`${add(label)} = ANY(labels)`]),
  ];
  return `${column} IN (SELECT ${id} FROM alert_matches WHERE ${where.join(' AND ')})`;
}
