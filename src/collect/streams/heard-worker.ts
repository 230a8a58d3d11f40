import { Injectable, Logger } from '@nestjs/common';
import { AlertMatchingService } from '../../alerts/service/alert-matching.service.js';
import { Clock } from '../../common/clock.js';
import { groupBy } from '../../common/collections.js';
import { PollingLoop } from '../../common/polling-loop.js';
import { RepeatedWork } from '../../common/repeated-work.js';
import { CommentsRepository } from '../../content/comments/comments.repository.js';
import { PostsRepository } from '../../content/posts/posts.repository.js';
import { RetryingTransactions } from '../../database/retrying-transactions.js';
import { TextAnalyzer } from '../../enrichment/analyzer.js';
import { PluginRunner } from '../../enrichment/plugins/plugin-runner.js';
import { PluginStep } from '../../enrichment/plugins/plugin-step.js';
import { textSteps } from '../../enrichment/text-steps.js';
import type { PlatformSession } from '../../platforms/platform.js';
import { Platforms } from '../../platforms/platforms.js';
import { EnrichmentPipeline } from '../scraping/enrichment-pipeline.js';
import type { CommentRow, PostRow } from '../scraping/records.js';
import { StepTimings } from '../scraping/step-timings.js';
import { type ClaimedText, HeardTextsRepository, MAX_ATTEMPTS } from './heard-texts.repository.js';

const POLL_MS = 300;
const TEXTS_AT_ONCE = 100;
/** Stands for the job in matches and events of what no job stored. */
const NO_JOB = '00000000-0000-0000-0000-000000000000';

/** Rows to store for heard texts. Posts above comments are among the posts. */
interface Rows {
  posts: PostRow[];
  comments: CommentRow[];
}

/** Reads texts that were heard from their platforms, once for all workspaces, and stores them as ordinary posts and comments. */
@Injectable()
export class HeardWorker extends RepeatedWork {
  private readonly logger = new Logger(HeardWorker.name);
  private readonly enrichment: EnrichmentPipeline;
  protected readonly loop = new PollingLoop(
    () => this.storeNext(),
    POLL_MS,
    (error) => this.logger.warn({ err: error }, 'heard texts postponed'),
  );

  constructor(
    private readonly platforms: Platforms,
    private readonly heard: HeardTextsRepository,
    private readonly transactions: RetryingTransactions,
    private readonly posts: PostsRepository,
    private readonly comments: CommentsRepository,
    private readonly alerts: AlertMatchingService,
    analyzer: TextAnalyzer,
    clock: Clock,
  ) {
    super();
    const plugins = new PluginStep(new PluginRunner());
    this.enrichment = new EnrichmentPipeline(plugins, textSteps(analyzer), clock, new StepTimings());
  }

  /** Stores the texts of each source that wait longest. Returns whether there may be more. */
  async storeNext(): Promise<boolean> {
    let hasMore = false;
    for (const source of await this.heard.waitingSources()) {
      const texts = await this.heard.claim(source, TEXTS_AT_ONCE);
      if (texts.length === 0) continue;
      hasMore ||= texts.length >= TEXTS_AT_ONCE;
      const rows = await this.read(source, texts);
      for (const [workspaceId, own] of groupBy(texts, (text) => text.workspaceId))
        await this.store(workspaceId, own, rows);
    }
    return hasMore;
  }

  /** Reads texts as the platform shows them now. Throws its errors; then the texts are claimed again later. */
  private async read(source: string, texts: readonly ClaimedText[]): Promise<Rows> {
    const platform = this.platforms.named(source);
    const idsOf = (isComment: boolean): string[] => [
      ...new Set(texts.filter((text) => text.isComment === isComment).map(({ id }) => id)),
    ];
    const session: PlatformSession = {
      signal: this.stopping.signal,
      workspaceId: texts[0]!.workspaceId,
      priority: 'high',
      onRequest: () => undefined,
    };
    const [postIds, commentIds] = [idsOf(false), idsOf(true)];
    try {
      const posts = postIds.length === 0 ? [] : await platform.fetchPosts(postIds, session);
      const replies =
        commentIds.length === 0 ? undefined : await platform.fetchComments?.(commentIds, session);
      const all = new Map([...(replies?.posts ?? []), ...posts].map((post) => [post.id, post]));
      return {
        posts: (await this.enrichment.posts([...all.values()])).map(({ row }) => row),
        comments: await this.enrichment.comments(replies?.comments ?? []),
      };
    } catch (error) {
      await this.giveUp(texts.filter(({ attempts }) => attempts >= MAX_ATTEMPTS));
      throw error;
    }
  }

  private async giveUp(texts: readonly ClaimedText[]): Promise<void> {
    for (const [workspaceId, own] of groupBy(texts, (text) => text.workspaceId))
      await this.transactions.run(this.stopping.signal, (tx) =>
        this.heard.settle(
          workspaceId,
          own.map(({ id }) => id),
          'unread',
          tx,
        ),
      );
  }

  /** Stores what was read of a workspace's texts. Alerts match what the workspace did not have. */
  private async store(workspaceId: string, texts: readonly ClaimedText[], read: Rows): Promise<void> {
    const wanted = new Set(texts.map(({ id }) => id));
    const comments = read.comments.filter(({ commentId }) => wanted.has(commentId));
    const above = new Set(comments.map(({ postId }) => postId));
    const posts = read.posts.filter(({ id }) => wanted.has(id) || above.has(id));
    await this.alerts.withMatcher(workspaceId, (matcher) =>
      this.transactions.run(this.stopping.signal, async (tx) => {
        const { allowed, newIds } = await this.posts.upsert(workspaceId, posts, tx);
        const allowedIds = new Set(allowed.map(({ id }) => id));
        const below = comments.filter(({ postId }) => allowedIds.has(postId));
        const newNumbers = await this.comments.upsert(workspaceId, below, tx);
        const arrived = {
          posts: allowed.filter(({ id }) => newIds.has(id)),
          comments: below.filter(({ id }) => newNumbers.has(id)),
        };
        await this.alerts.matchBatch(workspaceId, NO_JOB, arrived, matcher, tx);
        const stored = [...allowedIds, ...below.map(({ commentId }) => commentId)].filter((id) =>
          wanted.has(id),
        );
        await this.heard.settle(workspaceId, stored, 'stored', tx);
        await this.heard.settle(workspaceId, [...wanted], 'unread', tx);
      }),
    );
  }
}
