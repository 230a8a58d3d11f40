import type { Sql } from '../../database/sql.js';
import { COMMENT_SEARCH } from '../comments/comment-filter.js';
import { POST_SEARCH, type PostFilter } from '../posts/post-filter.js';
import { selectFacets, selectKeywords, selectTimeSeries } from './sql/aggregates.js';
import { selectById, selectFound } from './sql/found-rows.js';
import { countRows, isCountedByDeltas, selectPage, selectRows } from './searched-table.js';

const WORKSPACE = '8a1c1d2e-0000-4000-8000-000000000001';
const PERIOD = { created_after: '2026-04-10T00:00:00Z', created_before: '2026-04-20T00:00:00Z' };
const ORDER = { sort_by: 'created_utc', sort_order: 'desc' } as const;
const THREAD = { sort_by: 'thread', sort_order: 'asc' } as const;
const PAGE = { after: null, limit: 10, highlight: true };
const SERIES = { interval: 'day', timezone: 'UTC', splitBy: 'forum' } as const;

const STATEMENTS: Record<string, Sql> = {
  rows: selectRows(POST_SEARCH, WORKSPACE, 'id', { forum: 'a' }, ORDER, PAGE),
  'a page': selectPage(POST_SEARCH, WORKSPACE, 'id', { q: 'solid' }, ORDER, PAGE),
  'a page of comments': selectPage(COMMENT_SEARCH, WORKSPACE, 'id', {}, ORDER, PAGE),
  'a thread': selectPage(COMMENT_SEARCH, WORKSPACE, 'id', { post_id: 't3_a' }, THREAD, PAGE),
  'rows by id': selectById(
    POST_SEARCH,
    WORKSPACE,
    'id',
    { q: 'solid' },
    { ids: ['t3_a'], sortValues: ['1'] },
    true,
  ),
  'rows found': selectFound(
    POST_SEARCH,
    WORKSPACE,
    'id',
    { q: 'solid' },
    ORDER,
    { after: { number: 1, id: 't3_a' }, limit: 10, highlight: true },
    { ids: ['t3_b'], values: [2] },
  ),
  'a count': countRows(POST_SEARCH, WORKSPACE, { author: 'ann' }),
  'a count of deltas': countRows(POST_SEARCH, WORKSPACE, { forum: 'a' }),
  facets: selectFacets<PostFilter>(POST_SEARCH, WORKSPACE, PERIOD, ['forum', 'keyword'], 10),
  'a time series': selectTimeSeries(POST_SEARCH, WORKSPACE, PERIOD, SERIES),
  keywords: selectKeywords(POST_SEARCH, WORKSPACE, {}, 10),
  'keywords of two periods': selectKeywords(POST_SEARCH, WORKSPACE, PERIOD, 10),
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

describe('bounds of segments', () => {
  it.each([
    ['posts', POST_SEARCH],
    ['comments', COMMENT_SEARCH],
  ])('match the conditions over %s', (_, { conditions, segments }) => {
    const statements: Record<string, (value: string) => string> = conditions;
    for (const [field, { column, operator }] of Object.entries(segments.bounds))
      expect([field, `${column} ${operator} $1`]).toEqual([field, statements[field]!('$1')]);
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
  ])('answer a filter %j: %j', (filter, isCounted) => {
    expect(isCountedByDeltas<PostFilter>(POST_SEARCH, filter)).toBe(isCounted);
  });
});
