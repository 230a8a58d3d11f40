import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { parseEnvironment } from '../../src/config/environment.js';
import { DatabasePools } from '../../src/database/database-pools.js';
import { type Sql, SqlParameters } from '../../src/database/sql.js';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { COMMENT_SEARCH } from '../../src/content/comments/comment-filter.js';
import { selectPart } from '../../src/takeout/exports/export-executor.js';
import { POST_SEARCH } from '../../src/content/posts/post-filter.js';
import type { PageRequest, SearchFilter } from '../../src/search/search-request.js';
import { facetsOf, type SearchedTable, sortsOf } from '../../src/search/searched-table.js';
import { PostgresExpressions } from '../../src/search/segments/read/match.js';
import {
  selectBlocks,
  selectChangedRows,
  selectOutdatedRows,
  selectState,
} from '../../src/search/segments/read/segment-statements.js';
import { selectFacets, selectKeywords, selectTimeSeries } from '../../src/search/sql/aggregates.js';
import { selectById, selectFound } from '../../src/search/sql/found-rows.js';
import { selectSpeakers } from '../../src/content/speakers/select-speakers.js';
import { countRows, selectPage } from '../../src/search/sql/page-statements.js';
import { asRequestOf, createTestDatabase, openDataSource } from '../support/database.js';
import { filterValue } from '../support/filter-values.js';
import { rankedWord } from '../support/ranked-word.js';

const WORKSPACE = randomUUID();
const TIME = '2026-01-01T00:00:00Z';
const RANKING = {
  words: [{ ...rankedWord('battery'), weight: 1 }],
  averageLength: 20,
} as const;

/** Filters by each field alone and by some together. */
function filtersOf(table: SearchedTable): SearchFilter[] {
  const fields = [...Object.keys(table.filters), 'q'];
  const by = (...names: string[]): SearchFilter =>
    Object.fromEntries(names.map((name) => [name, name === 'q' ? 'battery' : filterValue(table, name)]));
  const queries = [
    'author:someone',
    'forum:cells OR solar',
    '"solar cell"',
    'solar -cell',
    'so*',
    'title:solar',
  ];
  return [
    {},
    ...fields.map((field) => by(field)),
    ...queries.map((q) => ({ q })),
    by('q', 'forum', 'created_after'),
    by('created_after', 'created_before'),
  ];
}

/** All statements over a table that searches and exports of one filter send. */
function* statementsOf(table: SearchedTable, filter: SearchFilter): Generator<Sql> {
  const request = { table, workspaceId: WORKSPACE, filter };
  const pages: Pick<PageRequest, 'after' | 'limit'>[] = [
    { after: null, limit: 51 },
    { after: { value: TIME, id: '1' }, limit: 51 },
  ];
  for (const sort_by of sortsOf(table)) {
    if (sort_by === 'thread' && !('post_id' in filter)) continue;
    if (sort_by === 'relevance' && filter.q === undefined) continue;
    const order = { sort_by, sort_order: 'desc' } as const;
    const ranking = sort_by === 'relevance' ? RANKING : null;
    for (const page of sort_by === 'created_utc' ? pages : pages.slice(0, 1))
      yield selectPage({ ...request, columns: 'id', order, ...page, ranking });
  }
  yield countRows(request);
  const facets = facetsOf(table);
  for (const by of [...facets.map((facet) => [facet]), facets])
    yield selectFacets({ ...request, by, limit: 10 });
  yield selectTimeSeries({ ...request, interval: 'day', timezone: 'UTC', splitBy: 'forum' });
  if (facets.includes('keyword')) yield selectKeywords({ ...request, limit: 10 });
  yield selectChangedRows(table, WORKSPACE, 'id', filter);
  for (const changedSince of [null, '1'])
    yield selectPart({ workspaceId: WORKSPACE, kind: table.name, filters: { ...filter }, changedSince }, '1');
}

/** Statements that do not depend on a filter. */
const commonStatements = (table: SearchedTable): Sql[] => {
  const page: PageRequest = {
    table,
    workspaceId: WORKSPACE,
    columns: 'id',
    filter: { q: 'solar' },
    order: { sort_by: 'score', sort_order: 'desc' },
    after: { value: '1', id: '1' },
    limit: 51,
  };
  return [
    selectById({ ...page, highlight: true }, { ids: ['1'], sortValues: ['1'] }),
    selectFound(page, 1, { ids: ['1'], values: [1] }),
    selectState(table, WORKSPACE, 1, ['1'], new PostgresExpressions(new SqlParameters())),
    selectOutdatedRows(WORKSPACE, [WORKSPACE]),
    selectBlocks(WORKSPACE, [{ segmentId: WORKSPACE, number: 0 }]),
    selectSpeakers(WORKSPACE, [{ source: 'reddit', author: 'ann' }]),
  ];
};

const database = await createTestDatabase();
const dataSource = await openDataSource(database.url);
const pools = new DatabasePools(parseEnvironment({ DATABASE_URL: database.url }), dataSource);

describe('a statement for a workspace', () => {
  let pool: pg.Pool;

  beforeAll(() => {
    // With empty tables Postgres would prefer to read them.
    pool = pools.create('plans', { options: '-c enable_seqscan=off -c enable_sort=off' });
  });
  afterAll(async () => {
    await pools.onApplicationShutdown();
  });

  /** The indexes of a plan with their conditions, without the one that the view or the policy adds, in any order. */
  async function indexesOf({ text, parameters }: Sql): Promise<string[]> {
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN (COSTS off) ${text}`, parameters);
    return rows
      .map((row) => row['QUERY PLAN'])
      .filter((line) => /Index/.test(line))
      .map((line) => line.replace(/^[\s>-]+/, '').replace(/(using \w+) on .*/, '$1'))
      .map((line) => line.replaceAll(SETTING, '').replace(/\b(posts|comments|own)(_\d+)?\./g, ''))
      .sort();
  }
  const SETTING = `(workspace_id = (NULLIF(current_setting('wss.workspace_id'::text, true), ''::text))::uuid) AND `;

  it.each<SearchedTable>([POST_SEARCH, COMMENT_SEARCH])(
    'over $name uses the indexes that it uses without the role of the workspace',
    async (table) => {
      const all = filtersOf(table).flatMap((filter) => [...statementsOf(table, filter)]);
      const seen = { service: [] as unknown[], workspace: [] as unknown[] };
      for (const sql of [...all, ...commonStatements(table)]) {
        seen.service.push([sql.text, await indexesOf(sql)]);
        seen.workspace.push([sql.text, await asRequestOf(WORKSPACE, () => indexesOf(sql))]);
      }
      expect(seen.workspace).toEqual(seen.service);
    },
  );

  it('of the control pool uses them in a transaction that reads views', async () => {
    const plan = await asRequestOf(WORKSPACE, () =>
      new TransactionRunner(dataSource).readViews((tx) =>
        tx.query(
          `EXPLAIN (FORMAT json) SELECT id FROM posts WHERE workspace_id = $1 AND lower(forum) = 'cells'
          ORDER BY created_utc DESC, id DESC LIMIT 1`,
          [WORKSPACE],
        ),
      ),
    );
    expect(JSON.stringify(plan)).toContain('posts_by_forum');
  });
});
