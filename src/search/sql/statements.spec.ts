import type { Sql } from '../../database/sql.js';
import { COMMENT_SEARCH } from '../../content/comments/comment-filter.js';
import { POST_SEARCH, type PostFilter } from '../../content/posts/post-filter.js';
import type { PageRequest, SearchFilter } from '../search-request.js';
import type { SearchedTable } from '../searched-table.js';
import { selectFacets, selectKeywords, selectTimeSeries } from './aggregates.js';
import { isCountedByDeltas } from './conditions.js';
import { selectById, selectFound } from './found-rows.js';
import { countRows, selectPage, selectRows } from './page-statements.js';

const WORKSPACE = '8a1c1d2e-0000-4000-8000-000000000001';
const PERIOD = { created_after: '2026-04-10T00:00:00Z', created_before: '2026-04-20T00:00:00Z' };
const SERIES = { interval: 'day', timezone: 'UTC', splitBy: 'forum' } as const;

const requestOf = (table: SearchedTable, filter: PostFilter): PageRequest & { ranking: null } => ({
  table,
  workspaceId: WORKSPACE,
  columns: 'id',
  filter,
  order: { sort_by: 'created_utc', sort_order: 'desc' },
  after: null,
  limit: 10,
  highlight: true,
  ranking: null,
});
const posts = (filter: PostFilter) => requestOf(POST_SEARCH, filter);
const thread: PageRequest & { ranking: null } = {
  ...requestOf(COMMENT_SEARCH, { post_id: 't3_a' } as SearchFilter),
  order: { sort_by: 'thread', sort_order: 'asc' },
};

const STATEMENTS: Record<string, Sql> = {
  rows: selectRows(posts({ forum: 'a' })),
  'a page': selectPage(posts({ q: 'solid' })),
  'a page of comments': selectPage(requestOf(COMMENT_SEARCH, {})),
  'a thread': selectPage(thread),
  'rows by id': selectById(posts({ q: 'solid' }), { ids: ['t3_a'], sortValues: ['1'] }),
  'rows found': selectFound({ ...posts({ q: 'solid' }), after: { value: '1', id: 't3_a' } }, 1, {
    ids: ['t3_b'],
    values: [2],
  }),
  'a count': countRows(posts({ author: 'ann' })),
  'a count of deltas': countRows(posts({ forum: 'a' })),
  facets: selectFacets({ ...posts(PERIOD), by: ['forum', 'keyword'] }),
  'a time series': selectTimeSeries({ ...posts(PERIOD), ...SERIES }),
  keywords: selectKeywords(posts({})),
  'keywords of two periods': selectKeywords(posts(PERIOD)),
};

describe('statements of searches', () => {
  it.each(Object.entries(STATEMENTS))('read %s of one workspace only, in every table they use', (_, sql) => {
    const tables = sql.text.match(/\bFROM (posts|comments|(post|comment)_count_deltas)\b/g)!;
    const conditions = [...sql.text.matchAll(/\bworkspace_id = \$(\d+)/g)];
    expect(conditions.length).toBeGreaterThanOrEqual(tables.length);
    for (const [, number] of conditions) expect(sql.parameters[Number(number) - 1]).toBe(WORKSPACE);
  });

  it('order equal counts by value', () => {
    expect(STATEMENTS.facets!.text.match(/ORDER BY count DESC, value LIMIT/g)).toHaveLength(2);
    expect(STATEMENTS.keywords!.text).toMatch(/ORDER BY count DESC, keyword LIMIT/);
    expect(STATEMENTS['keywords of two periods']!.text).toMatch(
      /ORDER BY current\.count DESC, keyword LIMIT/,
    );
  });
});

describe('totals of the count deltas', () => {
  it.each([
    [{}, true],
    [{ forum: 'a' }, true],
    [{ forum: undefined, author: undefined }, true],
    [{ forum: 'a', author: 'ann' }, false],
    [{ q: '' }, false],
    [{ is_nsfw: false }, false],
  ])('answer a filter %j: %j', (filter: PostFilter, isCounted) => {
    expect(isCountedByDeltas(POST_SEARCH, filter)).toBe(isCounted);
  });
});
