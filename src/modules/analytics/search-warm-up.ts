import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { PostsRepository } from '../posts/posts.repository.js';
import { PostsService } from '../posts/posts.service.js';
import { SearchDatabase } from '../search/search-database.js';
import { AnalyticsService } from './analytics.service.js';
import { FACETS } from './dto/analytics.dto.js';

/** How often the same searches are repeated: V8 compiles their code within a few repetitions. */
const REPEATS = 4;
/** Number of words that are searched in parallel, each on a connection of its own. */
const MOST_WORDS = 3;
/** No search starts later than this; each search also has a timeout of its own. */
const LONGEST_MS = 2_000;
const BY_RELEVANCE = { sort_by: 'relevance', sort_order: 'desc', highlight: true } as const;
const WORDS = /\p{L}{3,}/gu;

/** Facets to count. Authors of comments are excluded, because they would displace everything else from the cache. */
const COUNTED = [
  { of: 'posts', by: FACETS.join(',') },
  { of: 'comments', by: 'sentiment' },
] as const;

/**
 * Warms up the workspace with the largest index before the API listens. Counts the facets and the time series that the
 * dashboard's search page shows first, and searches for words of the newest post. Otherwise the first searches of a
 * process would take several times as long as later ones: blocks are not in memory, code is not compiled, connections
 * have not loaded a dictionary, and the heap is still growing.
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
      // The service works without a warm-up.
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
