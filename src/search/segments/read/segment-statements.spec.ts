import { type Sql, SqlParameters } from '../../../database/sql.js';
import { COMMENT_SEARCH } from '../../../content/comments/comment-filter.js';
import { POST_SEARCH } from '../../../content/posts/post-filter.js';
import {
  deleteChanges,
  deleteSegments,
  selectOldestChanges,
  selectSegmentRows,
  selectSegments,
  setOutdatedRows,
} from '../build/builder-statements.js';
import { PostgresExpressions } from './match.js';
import { selectBlocks, selectChangedRows, selectOutdatedRows, selectState } from './segment-statements.js';

const WORKSPACE = '8a1c1d2e-0000-4000-8000-000000000001';

/** A table, or the rows of a table to which a filter is applied. */
const ROWS = /\b(FROM|JOIN|UPDATE) (posts|comments|search_\w+|\w+_count_deltas)\b|\) AS changed\b/g;

const STATEMENTS: Record<string, Sql> = {
  'the state': selectState(POST_SEARCH, WORKSPACE, 10, [], new PostgresExpressions(new SqlParameters())),
  'changed rows': selectChangedRows(COMMENT_SEARCH, WORKSPACE, 'id', {}),
  blocks: selectBlocks(WORKSPACE, [{ segmentId: '7', number: 0 }]),
  'outdated rows': selectOutdatedRows(WORKSPACE, ['7']),
  'the oldest changes': selectOldestChanges(WORKSPACE, 'posts', 10),
  'changes to delete': deleteChanges(WORKSPACE, 'posts', ['1']),
  segments: selectSegments(WORKSPACE, 'posts'),
  'rows of segments': selectSegmentRows(POST_SEARCH, WORKSPACE, ['t3_a']),
  'segments to mark': setOutdatedRows(WORKSPACE, '7', {
    count: 1,
    bitmap: Buffer.alloc(1),
    hasErased: false,
  }),
  'segments to delete': deleteSegments(WORKSPACE, ['7']),
};

describe('statements of segments', () => {
  it.each(Object.entries(STATEMENTS))('find %s of one workspace only, in every table they name', (_, sql) => {
    const conditions = [...sql.text.matchAll(/\bworkspace_id = \$(\d+)/g)];
    expect(conditions).toHaveLength(sql.text.match(ROWS)!.length);
    for (const [, number] of conditions) expect(sql.parameters[Number(number) - 1]).toBe(WORKSPACE);
  });
});
