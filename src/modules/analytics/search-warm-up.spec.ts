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

  beforeEach(() => {
    [now, searched, refilled] = [0, [], []];
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => void jest.restoreAllMocks());

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
    const search = (of: string, what: string) => {
      if (of !== 'largest') throw new Error(`Workspace ${of} was searched`);
      searched.push(what);
      now += searchMs;
      return what in failures ? Promise.reject(failures[what]!) : Promise.resolve({});
    };
    await new SearchWarmUp(
      {
        largestIndex: () => Promise.resolve(workspaceId),
        refillBudget: (of: string) => refilled.push(of),
      } as unknown as SearchDatabase,
      { newest: () => Promise.resolve(titles.map((title) => ({ title }))) } as unknown as PostsRepository,
      { list: (of: string, query: ListPostsDto) => search(of, listed('posts', query)) } as PostsService,
      {
        list: (of: string, query: ListPostsDto) => search(of, listed('comments', query)),
      } as unknown as CommentsService,
      {
        facets: (workspace: string, { of, by }: FacetsQueryDto) =>
          search(workspace, `facets of ${of} by ${by}`),
        timeSeries: (workspace: string, { of, interval }: TimeSeriesQueryDto) =>
          search(workspace, `series of ${of} by ${interval}`),
      } as unknown as AnalyticsService,
    ).onApplicationBootstrap();
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
});
