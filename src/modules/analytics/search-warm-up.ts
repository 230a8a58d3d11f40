import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { PostsRepository } from '../posts/posts.repository.js';
import { PostsService } from '../posts/posts.service.js';
import { SearchDatabase } from '../search/search-database.js';
import { AnalyticsService } from './analytics.service.js';
import { FACETS } from './dto/analytics.dto.js';

/** So often the same searches are repeated; their code is compiled within a few. */
const REPEATS = 4;
/** Searched at once, on a connection each. */
const MOST_WORDS = 3;
/** No search begins after it; each has its own time-out. */
const LONGEST_MS = 2_000;
const BY_RELEVANCE = { sort_by: 'relevance', sort_order: 'desc', highlight: true } as const;
const WORDS = /\p{L}{3,}/gu;

/** What is counted first. Authors of comments would take the memory of everything else. */
const COUNTED = [
  { of: 'posts', by: FACETS.join(',') },
  { of: 'comments', by: 'sentiment' },
] as const;

/**
 * Reads of the largest index what the first page of the dashboard's search shows, facets and a time series, and searches it for
 * words of its newest post, before the API listens. The first of these in a process would take several times as long as later
 * ones: blocks are not in memory, code is not compiled, connections have read no dictionary, and the heap is still growing.
 */
@Injectable()
export class SearchWarmUp implements OnApplicationBootstrap {
  private readonly logger = new Logger(SearchWarmUp.name);

  constructor(
    private readonly searches: SearchDatabase,
    private readonly repository: PostsRepository,
    private readonly posts: PostsService,
    private readonly analytics: AnalyticsService,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    try {
      await this.search();
    } catch (error) {
      // The service works without it.
      this.logger.warn({ err: error }, 'search not warmed up');
    }
  }

  private async search(): Promise<void> {
    const workspaceId = await this.searches.largestIndex();
    if (workspaceId === null) return;
    const deadline = performance.now() + LONGEST_MS;
    const [newest] = await this.repository.newest(workspaceId, [], 1);
    const words = newest?.title.match(WORDS)?.slice(0, MOST_WORDS) ?? [];
    for (const { of, by } of COUNTED)
      await Promise.all([
        this.analytics.facets(workspaceId, { of, by }),
        this.analytics.timeSeries(workspaceId, { of, interval: 'month' }),
      ]);
    for (let repeat = 0; repeat < REPEATS && performance.now() < deadline; repeat += 1)
      await Promise.all(words.map((q) => this.posts.list(workspaceId, { ...BY_RELEVANCE, q })));
  }
}
