import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Problem } from '../../http/problem.js';
import type { CommentsService } from '../comments/comments.service.js';
import type { ListPostsDto } from '../posts/dto/list-posts.dto.js';
import type { PostsRepository } from '../posts/posts.repository.js';
import type { PostsService } from '../posts/posts.service.js';
import type { SearchDatabase } from '../search/search-database.js';
import type { AnalyticsService } from './analytics.service.js';
import type { FacetsQueryDto, TimeSeriesQueryDto } from './dto/analytics.dto.js';
import { SearchWarmUp } from './search-warm-up.js';

const COUNTS = [
  'facets of posts by forum',
  'facets of posts by author',
  'facets of posts by post_type',
  'facets of posts by sentiment',
  'facets of posts by flair',
  'facets of posts by keyword',
  'series of posts by month',
  'facets of comments by sentiment',
  'series of comments by month',
  'posts from score 10',
  'comments from score 10',
];

/** The searches for these words, in their order. */
const searchesFor = (...words: string[]): string[] => [
  ...Array.from({ length: 4 }, () => words.map((word) => `posts by relevance for ${word}`)).flat(),
  ...words.map((word) => `comments by relevance for ${word}`),
  ...words.map((word) => `comments by created_utc for ${word}`),
  ...(words.length > 1 ? [`comments by created_utc for "${words.join(' ')}"`] : []),
];

describe('SearchWarmUp', () => {
  let now: number;
  let searched: string[];
  let refilled: string[];
  let atOnce: number;
  let rows: number;
  let onSearch: (what: string) => void;
  let started: SearchWarmUp;

  beforeEach(() => {
    [now, searched, refilled, atOnce, rows] = [0, [], [], 0, 50];
    onSearch = () => undefined;
    jest.useFakeTimers({ doNotFake: ['nextTick', 'performance', 'queueMicrotask', 'setImmediate'] });
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(async () => {
    await started.beforeApplicationShutdown();
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  /** Lets the interval pass after which the size of the largest index is read again. */
  const look = (): Promise<void> => jest.advanceTimersByTimeAsync(15_000);

  /**
   * Warms up with this largest index and posts of these titles, where each search takes `searchMs` and those in
   * `failures` fail.
   */
  const warmUp = async (
    workspaceId: string | null,
    titles: string[],
    searchMs: number,
    failures: Record<string, Error> = {},
  ): Promise<void> => {
    const listed = (kind: string, { q, min_score: score, sort_by: order = 'created_utc' }: ListPostsDto) =>
      q === undefined ? `${kind} from score ${score}` : `${kind} by ${order} for ${q}`;
    let running = 0;
    const search = async (of: string, what: string) => {
      if (of !== 'largest') throw new Error(`Workspace ${of} was searched`);
      searched.push(what);
      onSearch(what);
      now += searchMs;
      running += 1;
      atOnce = Math.max(atOnce, running);
      await Promise.resolve();
      running -= 1;
      if (what in failures) throw failures[what]!;
      return {};
    };
    started = new SearchWarmUp(
      {
        largestIndex: () => Promise.resolve(workspaceId && { workspaceId, rows }),
        refillBudget: (of: string) => refilled.push(of),
      } as unknown as SearchDatabase,
      { newest: () => Promise.resolve(titles.map((title) => ({ title }))) } as unknown as PostsRepository,
      {
        list: (of: string, query: ListPostsDto) => search(of, listed('posts', query)),
      } as unknown as PostsService,
      {
        list: (of: string, query: ListPostsDto) => search(of, listed('comments', query)),
      } as unknown as CommentsService,
      {
        facets: (workspace: string, { of, by }: FacetsQueryDto) =>
          search(workspace, `facets of ${of} by ${by}`),
        timeSeries: (workspace: string, { of, interval }: TimeSeriesQueryDto) =>
          search(workspace, `series of ${of} by ${interval}`),
      } as unknown as AnalyticsService,
    );
    await started.onApplicationBootstrap();
  };

  it('counts posts and comments and searches both for the first three words of the newest title', async () => {
    await warmUp('largest', ['A $5 "lithium" battery: überall new'], 1);
    expect(searched).toEqual([...COUNTS, ...searchesFor('lithium', 'battery', 'überall')]);
  });

  it('begins no search after fifteen seconds', async () => {
    await warmUp('largest', ['lithium battery'], 1_300);
    expect(searched).toEqual([...COUNTS, ...searchesFor('lithium', 'battery').slice(0, 2)]);
  });

  it('goes on after a search that took too long', async () => {
    await warmUp('largest', ['lithium'], 1, {
      'facets of posts by author': new Problem('search_timeout', 'The search was stopped.'),
    });
    expect(searched).toEqual([...COUNTS, ...searchesFor('lithium')]);
  });

  it('does not count as use of the workspace', async () => {
    await warmUp('largest', [], 1);
    expect(refilled).toEqual(['largest']);
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

  it('ends, and lets the service start, when a search fails', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    await warmUp('largest', ['lithium'], 1, { 'facets of posts by author': new Error('connection lost') });
    expect(searched).toEqual(COUNTS.slice(0, 2));
    expect(warn).toHaveBeenCalledTimes(1);
  });

  it('repeats all searches, one at a time, each time the index has grown by half', async () => {
    rows = 200_000;
    await warmUp('largest', ['lithium battery'], 1);
    const all = searched;
    expect(atOnce).toBe(2);
    for (const [grown, isRepeated] of [
      [299_999, false],
      [300_000, true],
      [400_000, false],
      [450_000, true],
    ] as const) {
      [rows, searched, atOnce] = [grown, [], 0];
      await look();
      expect([grown, searched]).toEqual([grown, isRepeated ? all : []]);
      expect(atOnce).toBe(isRepeated ? 1 : 0);
    }
    expect(refilled).toHaveLength(3);
  });

  it('repeats nothing for an index of less than a hundred thousand rows', async () => {
    await warmUp('largest', ['lithium'], 1);
    const before = searched.length;
    rows = 99_999;
    await look();
    expect(searched).toHaveLength(before);
    rows = 100_000;
    await look();
    expect(searched).toHaveLength(2 * before);
  });

  it('begins no further search when the service shuts down', async () => {
    await warmUp('largest', ['lithium'], 1);
    [rows, searched] = [100_000, []];
    let stopped = Promise.resolve();
    onSearch = (what) => {
      if (what === COUNTS[1]) stopped = started.beforeApplicationShutdown();
    };
    await look();
    await stopped;
    expect(searched).toEqual(COUNTS.slice(0, 2));
  });

  it('goes on after a search that was beyond a quota', async () => {
    await warmUp('largest', ['lithium'], 1, {
      'facets of posts by author': new Problem('too_many_concurrent_requests', 'Too many searches.'),
    });
    expect(searched).toEqual([...COUNTS, ...searchesFor('lithium')]);
  });
});
