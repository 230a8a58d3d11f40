import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { PollingLoop } from '../../common/polling-loop.js';
import { Problem } from '../../http/problem.js';
import { CommentsService } from '../comments/comments.service.js';
import { PostsRepository } from '../posts/posts.repository.js';
import { PostsService } from '../posts/posts.service.js';
import { SearchDatabase } from '../search/search-database.js';
import type { IndexSize } from '../search/segments/read/segment-statements.js';
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
/** How often a process looks whether the largest index has grown. */
const LOOK_EVERY_MS = 15_000;
/** It is warmed up again when it has this many times the rows of the last time. */
const GROWTH = 1.5;
/** With fewer rows, the first searches take no longer than later ones. */
const LEAST_ROWS = 100_000;
const BY_RELEVANCE = { sort_by: 'relevance', sort_order: 'desc', highlight: true } as const;
/** Every segment has posts above and below it, so that the scores of all segments are read. */
const SOME_SCORE = 10;
const WORDS = /\p{L}{3,}/gu;

/** Searches that may run in parallel. */
type Step = (() => Promise<unknown>)[];

/**
 * Warms up the workspace with the largest index before the API listens, and again whenever the index has grown by half.
 * Counts the facets and the time series that the dashboard's search page shows first, and searches by score and for
 * words of the newest post. Otherwise the first searches of a process would take several times as long as later ones:
 * blocks are not in memory, code is not compiled, connections have not loaded a dictionary, and the heap is still
 * growing.
 */
@Injectable()
export class SearchWarmUp implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(SearchWarmUp.name);
  private warmRows = 0;
  private isStopping = false;
  private readonly loop = new PollingLoop(
    () => this.repeatWhenGrown(),
    LOOK_EVERY_MS,
    (error) => this.warn(error),
  );

  constructor(
    private readonly searches: SearchDatabase,
    private readonly repository: PostsRepository,
    private readonly posts: PostsService,
    private readonly comments: CommentsService,
    private readonly analytics: AnalyticsService,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    try {
      const largest = await this.searches.largestIndex();
      if (largest !== null) await this.warmUp(largest, (steps) => steps);
    } catch (error) {
      this.warn(error);
    }
    this.loop.wake();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.loop.stop();
  }

  /** Runs one search at a time, so that it takes the turn of at most one search of the workspace. */
  private async repeatWhenGrown(): Promise<boolean> {
    const largest = await this.searches.largestIndex();
    if (largest !== null && largest.rows >= Math.max(LEAST_ROWS, this.warmRows * GROWTH))
      await this.warmUp(largest, (steps) => steps.flat().map((search) => [search]));
    return false;
  }

  private async warmUp({ workspaceId, rows }: IndexSize, arranged: (steps: Step[]) => Step[]): Promise<void> {
    this.warmRows = rows;
    const deadline = performance.now() + LONGEST_MS;
    for (const step of arranged(await this.stepsOf(workspaceId))) {
      if (performance.now() >= deadline || this.isStopping) break;
      await Promise.all(step.map((search) => search())).catch(continueAfterRefusal);
    }
    this.searches.refillBudget(workspaceId);
  }

  /** The service works without a warm-up. */
  private warn(error: unknown): void {
    this.logger.warn({ err: error }, 'search not warmed up');
  }

  /**
   * Steps that run one after another. Facets are counted one by one, because in a large index the first count of all
   * of them takes longer than a search may take. Authors of comments are left out: they would displace everything else
   * from the cache.
   */
  private async stepsOf(workspaceId: string): Promise<Step[]> {
    const [newest] = await this.repository.newest(workspaceId, [], 1);
    const words = newest?.title.match(WORDS)?.slice(0, MOST_WORDS) ?? [];
    const facets = (of: Subject, by: FacetName): Step => [
      () => this.analytics.facets(workspaceId, { of, by }),
    ];
    const months = (of: Subject): Step => [
      () => this.analytics.timeSeries(workspaceId, { of, interval: 'month' }),
    ];
    const phrases = words.length > 1 ? [`"${words.join(' ')}"`] : [];
    const forWords = (list: (q: string) => Promise<unknown>): Step => words.map((q) => () => list(q));
    const byRelevance = forWords((q) => this.posts.list(workspaceId, { ...BY_RELEVANCE, q }));
    return [
      ...FACETS.map((by) => facets('posts', by)),
      months('posts'),
      facets('comments', 'sentiment'),
      months('comments'),
      [() => this.posts.list(workspaceId, { min_score: SOME_SCORE })],
      [() => this.comments.list(workspaceId, { min_score: SOME_SCORE })],
      ...Array.from({ length: REPEATS }, () => byRelevance),
      forWords((q) => this.comments.list(workspaceId, { ...BY_RELEVANCE, q })),
      forWords((q) => this.comments.list(workspaceId, { q })),
      phrases.map((q) => () => this.comments.list(workspaceId, { q })),
    ];
  }
}

/** A search that took too long has left in memory what it had read; one beyond a quota leaves its turn to clients. */
function continueAfterRefusal(error: unknown): void {
  if (!(error instanceof Problem)) throw error;
}
