import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Problem } from '../../http/problem.js';
import { CommentsService } from '../comments/comments.service.js';
import { PostsRepository } from '../posts/posts.repository.js';
import { PostsService } from '../posts/posts.service.js';
import { SearchDatabase } from '../search/search-database.js';
import { AnalyticsService } from './analytics.service.js';
import { type FacetName, FACETS, type Subject } from './dto/analytics.dto.js';

/** How often the same searches are repeated: V8 compiles their code within a few repetitions. */
const REPEATS = 4;
/** Number of words that are searched in parallel, each on a connection of its own. */
const MOST_WORDS = 3;
/**
 * No search starts later than this; each search also has a timeout of its own. A million posts take about a second, ten
 * million ten.
 */
const LONGEST_MS = 15_000;
const BY_RELEVANCE = { sort_by: 'relevance', sort_order: 'desc', highlight: true } as const;
/** Every segment has posts above and below it, so that the scores of all segments are read. */
const SOME_SCORE = 10;
const WORDS = /\p{L}{3,}/gu;

/**
 * Warms up the workspace with the largest index before the API listens. Counts the facets and the time series that the
 * dashboard's search page shows first, and searches by score and for words of the newest post. Otherwise the first
 * searches of a process would take several times as long as later ones: blocks are not in memory, code is not compiled,
 * connections have not loaded a dictionary, and the heap is still growing.
 */
@Injectable()
export class SearchWarmUp implements OnApplicationBootstrap {
  private readonly logger = new Logger(SearchWarmUp.name);

  constructor(
    private readonly searches: SearchDatabase,
    private readonly repository: PostsRepository,
    private readonly posts: PostsService,
    private readonly comments: CommentsService,
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
    for (const step of await this.stepsOf(workspaceId)) {
      if (performance.now() >= deadline) break;
      await step().catch(continueAfterTimeout);
    }
    this.searches.refillBudget(workspaceId);
  }

  /**
   * Searches that run one after another. Facets are counted one by one, because in a large index the first count of all
   * of them takes longer than a search may take. Authors of comments are left out: they would displace everything else
   * from the cache.
   */
  private async stepsOf(workspaceId: string): Promise<(() => Promise<unknown>)[]> {
    const [newest] = await this.repository.newest(workspaceId, [], 1);
    const words = newest?.title.match(WORDS)?.slice(0, MOST_WORDS) ?? [];
    const facets = (of: Subject, by: FacetName) => () => this.analytics.facets(workspaceId, { of, by });
    const months = (of: Subject) => () => this.analytics.timeSeries(workspaceId, { of, interval: 'month' });
    const phrases = words.length > 1 ? [`"${words.join(' ')}"`] : [];
    const forWords = (list: (q: string) => Promise<unknown>) => () => Promise.all(words.map(list));
    const byRelevance = forWords((q) => this.posts.list(workspaceId, { ...BY_RELEVANCE, q }));
    return [
      ...FACETS.map((by) => facets('posts', by)),
      months('posts'),
      facets('comments', 'sentiment'),
      months('comments'),
      () => this.posts.list(workspaceId, { min_score: SOME_SCORE }),
      () => this.comments.list(workspaceId, { min_score: SOME_SCORE }),
      ...Array.from({ length: REPEATS }, () => byRelevance),
      forWords((q) => this.comments.list(workspaceId, { ...BY_RELEVANCE, q })),
      forWords((q) => this.comments.list(workspaceId, { q })),
      ...phrases.map((q) => () => this.comments.list(workspaceId, { q })),
    ];
  }
}

/** A search that took too long has left in memory what it had read. */
function continueAfterTimeout(error: unknown): void {
  if (!(error instanceof Problem && error.code === 'search_timeout')) throw error;
}
