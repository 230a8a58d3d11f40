import { hostname } from 'node:os';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { newId } from '../../common/ids.js';
import { TransactionRunner } from '../../database/transaction-runner.js';
import { TextAnalyzer } from '../../enrichment/analyzer.js';
import { PLATFORM, type Platform, PlatformError, type PlatformSession } from '../../platforms/platform.js';
import { OutboxRepository } from '../events/outbox.repository.js';
import { JobDto } from '../jobs/dto/job.dto.js';
import type { Job, StopReason } from '../jobs/job.entity.js';
import { type JobCounters, type JobOutcome, JobRunsRepository } from '../jobs/job-runs.repository.js';
import { BatchWriter, type Checkpoint, LeaseLost } from './batch-writer.js';
import { toCommentRow, toPostRow } from './records.js';

const LEASE_MS = 15_000;
const HEARTBEAT_MS = 1_000;
/** Trees are taken from the work list in portions of this size. */
const TREES_AT_ONCE = 100;

interface Run {
  job: Job;
  owner: string;
  session: PlatformSession;
  counters: JobCounters;
  checkpoint: Checkpoint;
}

/** Runs one scrape job from claim to end: platform -> enrichment -> one transaction a batch. */
@Injectable()
export class ScrapeRunner {
  private readonly logger = new Logger(ScrapeRunner.name);

  constructor(
    @Inject(PLATFORM) private readonly platform: Platform,
    private readonly analyzer: TextAnalyzer,
    private readonly runs: JobRunsRepository,
    private readonly batches: BatchWriter,
    private readonly outbox: OutboxRepository,
    private readonly transactions: TransactionRunner,
    private readonly clock: Clock,
  ) {}

  /** Returns when the job ended, was cancelled, or was not to be had; a failed scrape is an outcome, not an exception. */
  async run(workspaceId: string, jobId: string): Promise<void> {
    const owner = `${hostname()}:${process.pid}:${newId()}`;
    const job = await this.runs.claim(workspaceId, jobId, owner, LEASE_MS);
    if (job === null) return;

    const aborter = new AbortController();
    const counters: JobCounters = {
      postsScraped: job.postsScraped,
      commentsScraped: job.commentsScraped,
      mediaDownloaded: job.mediaDownloaded,
      progress: { posts: 0, comments: 0, media: 0, requests: 0, ...job.progress },
    };
    const session: PlatformSession = {
      signal: aborter.signal,
      workspaceId,
      priority: job.mode === 'monitor' || job.postLimit <= 100 ? 'high' : 'normal',
      onRequest: () => void (counters.progress.requests = (counters.progress.requests ?? 0) + 1),
    };
    const run: Run = {
      job,
      owner,
      session,
      counters,
      checkpoint: (job.checkpoint as Checkpoint | null) ?? { after: null, listingDone: false },
    };
    const heart = setInterval(() => void this.beat(run, aborter), HEARTBEAT_MS);
    try {
      const outcome = await this.scrape(run);
      await this.finish(run, outcome);
    } finally {
      clearInterval(heart);
      aborter.abort(new LeaseLost());
    }
  }

  private async scrape(run: Run): Promise<JobOutcome> {
    try {
      if (!run.checkpoint.listingDone) await this.walkListing(run);
      await this.walkTrees(run);
      return { status: 'completed' };
    } catch (error) {
      if (error instanceof PlatformError)
        return { status: 'failed', errorCode: error.code, errorMessage: error.message };
      throw error;
    }
  }

  private async walkListing(run: Run): Promise<void> {
    const { job, session } = run;
    const listing = {
      target: { type: job.targetType, name: job.target },
      sort: 'new' as const,
      window: null,
    };
    for (;;) {
      const page = await this.platform.fetchListing(listing, run.checkpoint.after, session);
      const scrapedAt = this.clock.now();
      const posts = page.posts.slice(0, job.postLimit - run.counters.postsScraped);
      const rows = posts.map((post) =>
        toPostRow(post, this.analyzer.analyzePost(post.title, post.selftext), scrapedAt),
      );
      const treesWanted = new Set(
        job.scrapeComments ? posts.filter((post) => post.numComments > 0).map((post) => post.id) : [],
      );
      const full = run.counters.postsScraped + posts.length >= job.postLimit;
      const stopReason: StopReason | null = full ? 'limit' : page.after === null ? 'end_of_listing' : null;
      run.checkpoint = { after: page.after, listingDone: stopReason !== null };
      if (stopReason !== null) run.counters.progress.stop_reason = stopReason;
      const after = await this.batches.writePosts(
        job,
        run.owner,
        { posts: rows, treesWanted },
        run.counters,
        run.checkpoint,
      );
      Object.assign(run.counters, { postsScraped: after.postsScraped });
      run.counters.progress.posts = after.postsScraped;
      if (stopReason !== null) return;
    }
  }

  private async walkTrees(run: Run): Promise<void> {
    const { job } = run;
    for (;;) {
      const trees = await this.runs.pendingTrees(job.workspaceId, job.id, TREES_AT_ONCE);
      if (trees.length === 0) return;
      for (const post of trees) await this.walkTree(run, post);
    }
  }

  private async walkTree(run: Run, post: { id: string; permalink: string }): Promise<void> {
    const { job, owner, counters } = run;
    let stored = 0;
    let missing = 0;
    for await (const slice of this.platform.walkComments(post, run.session)) {
      const scrapedAt = this.clock.now();
      const rows = slice.comments.map((comment) =>
        toCommentRow(comment, this.analyzer.scoreComment(comment.body), scrapedAt),
      );
      await this.batches.writeComments(job, owner, rows);
      stored += rows.length;
      missing = slice.missing;
    }
    counters.commentsScraped += stored;
    counters.progress.comments = counters.commentsScraped;
    if (missing > 0) counters.progress.comments_missing = (counters.progress.comments_missing ?? 0) + missing;
    await this.batches.finishTree(job, owner, post.id, counters, run.checkpoint);
  }

  private async finish(run: Run, outcome: JobOutcome): Promise<void> {
    const { job, owner, counters } = run;
    const ended = await this.transactions.run(async (tx) => {
      const record = await this.runs.finish(job.workspaceId, job.id, owner, outcome, counters.progress, tx);
      if (record !== null)
        await this.outbox.append(
          job.workspaceId,
          { type: `job.${outcome.status}`, uniqueKey: `job:${job.id}:ended`, data: JobDto.from(record) },
          tx,
        );
      return record;
    });
    this.logger.log({
      msg: 'scrape job ended',
      workspaceId: job.workspaceId,
      jobId: job.id,
      target: job.target,
      mode: job.mode,
      outcome: ended === null ? 'lost' : outcome.status,
      ...(outcome.status === 'failed' && { errorCode: outcome.errorCode }),
      durationMs:
        ended?.completedAt && ended.startedAt
          ? ended.completedAt.getTime() - ended.startedAt.getTime()
          : null,
      ...counters.progress,
    });
  }

  private async beat(run: Run, aborter: AbortController): Promise<void> {
    try {
      const { job, owner, counters } = run;
      if (!(await this.runs.heartbeat(job.workspaceId, job.id, owner, LEASE_MS, counters.progress)))
        aborter.abort(new LeaseLost());
    } catch (error) {
      this.logger.warn({ err: error, jobId: run.job.id }, 'heartbeat failed; the lease decides');
    }
  }
}
