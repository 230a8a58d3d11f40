import type { SqlParameters } from '../../database/sql.js';
import { COMMENT_PREFIX } from '../../content/comments/comment-keys.js';

/**
 * A join of `matched.match_labels`, the labels of all matches of a post or comment, each once and sorted; null without
 * labels. `record` is the id as responses show it.
 */
export function matchLabelsJoin(
  workspaceId: string,
  { kind, record }: { kind: 'posts' | 'comments'; record: string },
  parameters: SqlParameters,
): string {
  const matchedId = kind === 'posts' ? record : `'${COMMENT_PREFIX}' || ${record}`;
  return `LEFT JOIN (
      SELECT post_id AS matched_id, array_agg(DISTINCT one COLLATE "C" ORDER BY one COLLATE "C") AS match_labels
      FROM alert_matches CROSS JOIN unnest(labels) AS label (one)
      WHERE workspace_id = ${parameters.add(workspaceId)} GROUP BY post_id) AS matched
    ON matched.matched_id = ${matchedId}`;
}
