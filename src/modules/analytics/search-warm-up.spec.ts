import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { PostsRepository } from '../posts/posts.repository.js';
import type { PostsService } from '../posts/posts.service.js';
import type { SearchDatabase } from '../search/search-database.js';
import type { AnalyticsService } from './analytics.service.js';
import type { FacetsQueryDto, TimeSeriesQueryDto } from './dto/analytics.dto.js';
import { SearchWarmUp } from './search-warm-up.js';

const COUNTS = [
  'facets of posts by forum,author,post_type,sentiment,flair,keyword',
  'series of posts by month',
  'facets of comments by sentiment',
  'series of comments by month',
];

describe('SearchWarmUp', () => {
  let now: number;
  let searched: (string | undefined)[];

  beforeEach(() => {
    [now, searched] = [0, []];
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => void jest.restoreAllMocks());

  /** Warms up with this largest index and posts of these titles, where each search takes `searchMs`. */
  const warmUp = async (workspaceId: string | null, titles: string[], searchMs: number): Promise<void> => {
    const search = (of: string, what: string | undefined) => {
      if (of !== 'largest') throw new Error(`Workspace ${of} was searched`);
      searched.push(what);
      now += searchMs;
      return Promise.resolve({});
    };
    await new SearchWarmUp(
      { largestIndex: () => Promise.resolve(workspaceId) } as SearchDatabase,
      { newest: () => Promise.resolve(titles.map((title) => ({ title }))) } as unknown as PostsRepository,
      { list: (of: string, { q }: { q?: string }) => search(of, q) } as PostsService,
      {
        facets: (workspace: string, { of, by }: FacetsQueryDto) =>
          search(workspace, `facets of ${of} by ${by}`),
        timeSeries: (workspace: string, { of, interval }: TimeSeriesQueryDto) =>
          search(workspace, `series of ${of} by ${interval}`),
      } as unknown as AnalyticsService,
    ).onApplicationBootstrap();
  };

  it('counts posts and comments and searches for the first three words of the newest title, four times each', async () => {
    await warmUp('largest', ['A $5 "lithium" battery: überall new'], 1);
    expect(searched).toEqual([
      ...COUNTS,
      ...Array.from({ length: 4 }, () => ['lithium', 'battery', 'überall']).flat(),
    ]);
  });

  it('begins no search after two seconds', async () => {
    await warmUp('largest', ['lithium battery'], 350);
    expect(searched).toEqual([...COUNTS, 'lithium', 'battery']);
  });

  it.each([
    ['no post', []],
    ['no word in its title', ['5 / 10']],
  ])('searches for no words when there is %s', async (_what, titles) => {
    await warmUp('largest', titles, 1);
    expect(searched).toEqual(COUNTS);
  });

  it('searches nothing when there is no index', async () => {
    await warmUp(null, ['lithium'], 1);
    expect(searched).toEqual([]);
  });

  it('lets the service start when a search fails', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    await warmUp('other', ['lithium'], 1);
    expect(warn).toHaveBeenCalledTimes(1);
  });
});
