import type pg from 'pg';
import { COMMENT_SEARCH } from '../../src/modules/comments/comment-filter.js';
import { POST_SEARCH } from '../../src/modules/posts/post-filter.js';
import { type SearchedTable, selectRows } from '../../src/modules/search/searched-table.js';
import { connect, createTestDatabase, type TestDatabase } from '../support/database.js';

const WORKSPACE = '7c1f0e7a-52b5-4d0e-8a0c-3d1b9d1f6a55';

/** Orders that are computed for the rows of a query or of a post. */
const COMPUTED = new Set(['relevance', 'thread']);

describe('a page of a list', () => {
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = await connect(database.url);
    // With empty tables Postgres would rather read and sort them.
    await client.query('SET enable_seqscan = off; SET enable_sort = off; SET enable_bitmapscan = off');
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  async function planOf(table: unknown, filter: object, sort_by: string): Promise<string> {
    const sql = selectRows(
      table as SearchedTable<object, string>,
      WORKSPACE,
      'id',
      filter,
      { sort_by, sort_order: 'desc' },
      { after: null, limit: 51 },
    );
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${sql.text}`, sql.parameters);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  }

  for (const table of [POST_SEARCH, COMMENT_SEARCH]) {
    it.each(Object.keys(table.sorts).filter((sort) => !COMPUTED.has(sort)))(
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
  }
});
