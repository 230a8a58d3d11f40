import { Injectable } from '@nestjs/common';
import { groupBy } from '../../common/collections.js';
import { RepeatedWork } from '../../common/repeated-work.js';
import { DatabaseClock } from '../../database/database-clock.js';
import { TextAnalyzer } from '../../enrichment/analyzer.js';
import { PluginRunner } from '../../enrichment/plugins/plugin-runner.js';
import { PluginStep } from '../../enrichment/plugins/plugin-step.js';
import { textSteps } from '../../enrichment/text-steps.js';
import { splitListened } from '../../platforms/listening.js';
import type { PlatformSession } from '../../platforms/platform.js';
import { Platforms } from '../../platforms/platforms.js';
import { EnrichmentPipeline } from '../scraping/enrichment-pipeline.js';
import { HeardWriter, type Rows } from './heard-writer.js';
import { StepTimings } from '../scraping/step-timings.js';
import { type ClaimedText, HeardTextsRepository, MAX_ATTEMPTS } from '../streams/heard-texts.repository.js';

const POLL_MS = 300;
const TEXTS_AT_ONCE = 100;
const SOURCES_AT_ONCE = 50;

/** Reads texts that were heard from their platforms, once for all workspaces, and stores them as ordinary posts and comments. */
@Injectable()
export class HeardWorker extends RepeatedWork {
  private readonly enrichment: EnrichmentPipeline;
  private readonly busy = new Map<string, Promise<void>>();

  constructor(
    private readonly platforms: Platforms,
    private readonly heard: HeardTextsRepository,
    private readonly writer: HeardWriter,
    analyzer: TextAnalyzer,
    private readonly clock: DatabaseClock,
  ) {
    super(POLL_MS, 'heard texts postponed');
    const plugins = new PluginStep(new PluginRunner());
    this.enrichment = new EnrichmentPipeline(plugins, textSteps(analyzer), new StepTimings());
  }

  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    await Promise.all(this.busy.values());
  }

  /** Begins to store the texts of sources that wait. A source that is slow or away does not hold up the others. */
  override async work(): Promise<boolean> {
    for (const source of await this.heard.waitingSources()) {
      if (this.busy.has(source) || this.busy.size >= SOURCES_AT_ONCE) continue;
      const work = this.storeOf(source)
        .catch((error: unknown) => this.logger.warn({ err: error, source }, 'heard texts postponed'))
        .finally(() => this.busy.delete(source));
      this.busy.set(source, work);
    }
    return false;
  }

  /** Stores the texts of a source, those that wait longest first, until none waits. */
  private async storeOf(source: string): Promise<void> {
    for (let isMore = true; isMore && !this.stopping.signal.aborted;) {
      const texts = await this.heard.claim(source, TEXTS_AT_ONCE);
      isMore = texts.length >= TEXTS_AT_ONCE;
      if (texts.length === 0) return;
      const rows = await this.read(source, texts);
      for (const [workspaceId, own] of groupBy(texts, (text) => text.workspaceId))
        await this.writer.store(workspaceId, own, rows, this.stopping.signal);
    }
  }

  /** Reads texts as the platform shows them now. Throws its errors; then the texts are claimed again later. */
  private async read(source: string, texts: readonly ClaimedText[]): Promise<Rows> {
    const platform = this.platforms.named(splitListened(source).source);
    const idsOf = (isComment: boolean): string[] => [
      ...new Set(
        texts.filter((text) => text.isComment === isComment && text.post === null).map(({ id }) => id),
      ),
    ];
    const session: PlatformSession = {
      signal: this.stopping.signal,
      workspaceId: texts[0]!.workspaceId,
      priority: 'high',
      onRequest: () => undefined,
    };
    const [postIds, commentIds] = [idsOf(false), idsOf(true)];
    try {
      // A post that its stream showed was read before those that are read now.
      const readAt = texts.reduce(
        (earliest, { post, seenAt }) => (post !== null && seenAt < earliest ? seenAt : earliest),
        await this.clock.now(),
      );
      const posts = postIds.length === 0 ? [] : await platform.fetchPosts(postIds, session);
      const replies =
        commentIds.length === 0 ? undefined : await platform.fetchComments?.(commentIds, session);
      const shown = texts.flatMap(({ post }) => post ?? []);
      const all = new Map([...(replies?.posts ?? []), ...posts, ...shown].map((post) => [post.id, post]));
      return {
        posts: (await this.enrichment.posts([...all.values()], readAt)).map(({ row }) => row),
        comments: await this.enrichment.comments(replies?.comments ?? [], readAt),
      };
    } catch (error) {
      const given = texts.filter(({ attempts }) => attempts >= MAX_ATTEMPTS);
      for (const [workspaceId, own] of groupBy(given, (text) => text.workspaceId))
        await this.writer.store(workspaceId, own, { posts: [], comments: [] }, this.stopping.signal);
      throw error;
    }
  }
}
