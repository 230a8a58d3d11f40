import type pg from 'pg';
import { COMMENT_SEARCH } from '../../src/content/comments/comment-filter.js';
import { POST_SEARCH } from '../../src/content/posts/post-filter.js';
import { selectOldestChanges } from '../../src/search/segments/build/builder-statements.js';
import { type SearchedTable, sortsOf } from '../../src/search/searched-table.js';
import { isComparedByRow } from '../../src/search/sql/conditions.js';
import { selectRows } from '../../src/search/sql/page-statements.js';
import { connect, createTestDatabase } from '../support/database.js';
import { filterValue } from '../support/filter-values.js';

const WORKSPACE = '7c1f0e7a-52b5-4d0e-8a0c-3d1b9d1f6a55';

const TABLES: SearchedTable[] = [POST_SEARCH, COMMENT_SEARCH];

/** Orders that are computed from the rows of a query or of a post. */
const COMPUTED = new Set(['relevance', 'thread']);

const database = await createTestDatabase();

describe('a page of a list', () => {
  let client: pg.Client;

  beforeAll(async () => {
    client = await connect(database.url);
    // With empty tables Postgres would prefer to read and sort them.
    await client.query('SET enable_seqscan = off; SET enable_sort = off; SET enable_bitmapscan = off');
  });
  afterAll(async () => {
    await client.end();
  });

  async function planOf(table: SearchedTable, filter: object, sort_by: string): Promise<string> {
    const sql = selectRows({
      table,
      workspaceId: WORKSPACE,
      columns: 'id',
      filter,
      order: { sort_by, sort_order: 'desc' },
      limit: 51,
      ranking: null,
    });
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql.text}`, sql.parameters);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  }

  for (const table of TABLES) {
    it.each(sortsOf(table).filter((sort) => !COMPUTED.has(sort)))(
      `of ${table.name} by %s is read from an index in its order`,
      async (sort) => {
        const plan = await planOf(table, {}, sort);
        expect(plan).toMatch(new RegExp(`Index (Only )?Scan Backward using ${table.name}_`));
        expect(plan).not.toMatch(/Sort/);
      },
    );

    it.each(['forum', 'author'])(
      `of ${table.name} of one %s is read from an index in its order`,
      async (field) => {
        const plan = await planOf(table, { [field]: 'Name' }, 'created_utc');
        expect(plan).toContain(`using ${table.name}_by_${field}`);
        expect(plan).not.toMatch(/Sort/);
      },
    );

    // Ids are those of one job; Postgres chooses between their index and that of the order.
    it.each(Object.keys(table.filters).filter((field) => field !== 'ids'))(
      `of ${table.name} of one %s compares it row by row only if it has no index`,
      async (field) => {
        const filter = { [field]: filterValue(table, field) };
        const plan = await planOf(table, filter, 'created_utc');
        // What an index over lower case finds is compared once more with its case, which leaves out few rows.
        const isFound = new RegExp(`Index Cond: .*lower\\(${field}\\)`).test(plan);
        const isFiltered = plan.includes('Filter:') && !isFound;
        expect(isFiltered).toBe(isComparedByRow(table, filter));
      },
    );
  }

  it('of changed rows has the oldest lists up to the one that reaches the limit', async () => {
    await client.query(`INSERT INTO workspaces (id, name) VALUES ($1, 'changed')`, [WORKSPACE]);
    await client.query(
      `INSERT INTO search_changes (workspace_id, kind, row_ids, row_count)
       SELECT $1, 'posts', ARRAY[id], count FROM unnest($2::text[], $3::int[]) AS list (id, count)`,
      [WORKSPACE, ['a', 'b', 'c'], [3, 9, 1]],
    );
    const listed = async (most: number): Promise<string[]> => {
      const { text, parameters } = selectOldestChanges(WORKSPACE, 'posts', most);
      const { rows } = await client.query<{ rowIds: string[] }>(text, parameters);
      return rows.flatMap(({ rowIds }) => rowIds);
    };
    expect([await listed(3), await listed(4), await listed(13)]).toEqual([
      ['a'],
      ['a', 'b'],
      ['a', 'b', 'c'],
    ]);
  });
});
