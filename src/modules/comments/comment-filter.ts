import { type Sql, SqlParameters } from '../../database/sql.js';
import { selectedProperties, selectList } from '../../database/entity-columns.js';
import { DELTA_SUM_COLUMNS, selectCount, withDeltaSums } from '../../database/count-deltas.js';
import { CommentRecord } from './comment.entity.js';

export interface CommentFilter {
  post_id?: string;
  author?: string;
  min_score?: number;
  q?: string;
}

/** Columns that are selected unless named otherwise. */
const COLUMNS = selectList(selectedProperties(CommentRecord));

/** A page, newest first; each row with `revision` and `total` of the count deltas beside it. */
export function selectComments(
  workspaceId: string,
  filter: CommentFilter,
  page: { limit: number; offset: number },
): Sql {
  const parameters = new SqlParameters();
  const sums = withDeltaSums('comment_count_deltas', parameters.add(workspaceId));
  const where = conditions(workspaceId, filter, parameters);
  return {
    text:
      `${sums} SELECT ${[COLUMNS, ...DELTA_SUM_COLUMNS].join(', ')} FROM comments WHERE ${where} ` +
      `ORDER BY created_utc DESC, id DESC LIMIT ${parameters.add(page.limit)} OFFSET ${parameters.add(page.offset)}`,
    parameters: parameters.values,
  };
}

/** How many comments match, and the revision that was counted. */
export function countComments(workspaceId: string, filter: CommentFilter): Sql {
  const parameters = new SqlParameters();
  const sums = withDeltaSums('comment_count_deltas', parameters.add(workspaceId));
  const where = isCountedByDeltas(filter) ? null : conditions(workspaceId, filter, parameters);
  return { text: selectCount(sums, 'comments', where), parameters: parameters.values };
}

/** Whether the count deltas hold the total of a filter. */
export function isCountedByDeltas(filter: CommentFilter): boolean {
  return Object.values(filter).every((value) => value === undefined);
}

function conditions(workspaceId: string, filter: CommentFilter, parameters: SqlParameters): string {
  const all = [`workspace_id = ${parameters.add(workspaceId)}`];
  if (filter.post_id !== undefined) all.push(`post_id = ${parameters.add(filter.post_id)}`);
  if (filter.author !== undefined) all.push(`lower(author) = lower(${parameters.add(filter.author)})`);
  if (filter.min_score !== undefined) all.push(`score >= ${parameters.add(filter.min_score)}`);
  if (filter.q !== undefined)
    all.push(`search @@ websearch_to_tsquery('english', ${parameters.add(filter.q)})`);
  return all.join(' AND ');
}
