import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { PostsRepository } from '../posts/posts.repository.js';
import type { PostsService } from '../posts/posts.service.js';
import type { SearchDatabase } from '../search/search-database.js';
import { SearchWarmUp } from './search-warm-up.js';

describe('SearchWarmUp', () => {
  let now: number;
  let searched: (string | undefined)[];

  beforeEach(() => {
    [now, searched] = [0, []];
    jest.spyOn(performance, 'now').mockImplementation(() => now);
  });
  afterEach(() => void jest.restoreAllMocks());

  /** Warms up over a largest index, with posts of these titles, whose searches take so long. */
  const warmUp = async (workspaceId: string | null, titles: string[], searchMs: number): Promise<void> =>
    new SearchWarmUp(
      { largestIndex: () => Promise.resolve(workspaceId) } as SearchDatabase,
      { newest: () => Promise.resolve(titles.map((title) => ({ title }))) } as unknown as PostsRepository,
      {
        list: (of: string, { q }: { q?: string }) => {
          if (of !== 'largest') throw new Error(`Workspace ${of} was searched`);
          searched.push(q);
          now += searchMs;
          return Promise.resolve({});
        },
      } as PostsService,
    ).onApplicationBootstrap();

  it('searches for the first three words of the newest title, four times each', async () => {
    await warmUp('largest', ['A $5 "lithium" battery: überall new'], 1);
    expect(searched).toEqual(Array.from({ length: 4 }, () => ['lithium', 'battery', 'überall']).flat());
  });

  it('begins no search after two seconds', async () => {
    await warmUp('largest', ['lithium battery'], 600);
    expect(searched).toEqual(['lithium', 'battery', 'lithium', 'battery']);
  });

  it.each([
    ['no index', null, ['lithium']],
    ['no post', 'largest', []],
    ['no word in its title', 'largest', ['5 / 10']],
  ])('searches nothing when there is %s', async (_what, workspaceId, titles) => {
    await warmUp(workspaceId, titles, 1);
    expect(searched).toEqual([]);
  });

  it('lets the service start when a search fails', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    await warmUp('other', ['lithium'], 1);
    expect(warn).toHaveBeenCalledTimes(1);
  });
});
