import { POST_SEARCH } from '../posts/post-filter.js';
import { MAX_BUCKETS, type BucketRow, type FacetRow, type KeywordRow } from '../../search/search-request.js';
import type { SearchService } from '../../search/search.service.js';
import { AnalyticsService } from './analytics.service.js';

/** A service whose searches return these rows. */
function serviceOver(rows: { buckets?: BucketRow[]; facets?: FacetRow[]; keywords?: KeywordRow[] }): {
  service: AnalyticsService;
  asked: unknown[];
} {
  const asked: unknown[] = [];
  const answer =
    <T>(found: T[] = []) =>
    (request: unknown): Promise<T[]> => {
      asked.push(request);
      return Promise.resolve(found);
    };
  const searches = {
    timeSeries: answer(rows.buckets),
    facets: answer(rows.facets),
    keywords: answer(rows.keywords),
  };
  const clock = { now: () => new Date(NOW) };
  return { service: new AnalyticsService(searches as unknown as SearchService, clock), asked };
}

const DAY_MS = 86_400_000;
const NOW = 3_000 * DAY_MS;
const bucket = (day: number, more: Partial<BucketRow> = {}): BucketRow => ({
  start: new Date(day * DAY_MS),
  split: null,
  count: 0,
  sentimentSum: 0,
  ...more,
});

describe('a time series', () => {
  it('merges the rows of a bucket, and rounds their mean to six decimals', async () => {
    const { service } = serviceOver({
      buckets: [
        bucket(0, { split: 'music', count: 2, sentimentSum: 1 }),
        bucket(0, { split: 'technology', count: 1, sentimentSum: -0.5 }),
        bucket(1),
      ],
    });
    expect((await service.timeSeries('w', { split_by: 'forum' })).buckets).toEqual([
      { start: new Date(0), count: 3, mean_sentiment: 0.166667, split: { music: 2, technology: 1 } },
      { start: new Date(DAY_MS), count: 0, mean_sentiment: null, split: {} },
    ]);
  });

  it('has a count for every value, whatever its name', async () => {
    const { service } = serviceOver({ buckets: [bucket(0, { split: '__proto__', count: 2 })] });
    const [first] = (await service.timeSeries('w', { split_by: 'forum' })).buckets;
    expect(JSON.stringify(first!.split)).toBe('{"__proto__":2}');
  });

  it('has at most 2,000 buckets', async () => {
    const days = (count: number): BucketRow[] => Array.from({ length: count }, (_, day) => bucket(day));
    const most = serviceOver({ buckets: days(MAX_BUCKETS) }).service;
    expect((await most.timeSeries('w', {})).buckets).toHaveLength(MAX_BUCKETS);
    const more = serviceOver({ buckets: days(MAX_BUCKETS + 1) }).service;
    const period = { created_after: '2020-01-01T00:00:00Z', created_before: '2026-01-01T00:00:00Z' };
    await expect(more.timeSeries('w', period)).rejects.toMatchObject({
      extra: { errors: [{ field: 'interval' }] },
    });
  });
});

describe('facets', () => {
  it('are the requested ones, each once, even without values', async () => {
    const { service, asked } = serviceOver({
      facets: [
        { facet: 'forum', value: 'music', count: 2 },
        { facet: 'total', value: null, count: 2 },
      ],
    });
    expect(await service.facets('w', { by: 'flair,forum,forum' })).toEqual({
      total: 2,
      facets: { flair: [], forum: [{ value: 'music', count: 2 }] },
    });
    expect(asked).toEqual([
      { table: POST_SEARCH, workspaceId: 'w', filter: {}, by: ['flair', 'forum'], limit: 10 },
    ]);
  });

  it('refuse filters and values that the subject does not have', async () => {
    const { service, asked } = serviceOver({});
    await expect(
      service.facets('w', { of: 'comments', by: 'forum,flair', q: 'a', is_nsfw: true, post_id: undefined }),
    ).rejects.toMatchObject({ extra: { errors: [{ field: 'is_nsfw' }, { field: 'by' }] } });
    await expect(service.facets('w', { post_id: 't3_a' })).rejects.toMatchObject({
      extra: { errors: [{ field: 'post_id' }] },
    });
    expect(asked).toEqual([]);
  });
});

describe('keywords', () => {
  it('have a change where they have a previous count', async () => {
    const { service } = serviceOver({
      keywords: [
        { keyword: 'solar', count: 3, previousCount: 5 },
        { keyword: 'wind', count: 2, previousCount: 0 },
        { keyword: 'sun', count: 1, previousCount: null },
      ],
    });
    const { keywords } = await service.keywords('w', {});
    expect(keywords.map(({ previous_count, change }) => [previous_count, change])).toEqual([
      [5, -2],
      [0, 2],
      [null, null],
    ]);
  });
});
