import { Injectable, Logger } from '@nestjs/common';
import { TextAnalyzer } from '../../enrichment/analyzer.js';
import { PluginStep } from '../../enrichment/plugins/plugin-step.js';
import { textSteps } from '../../enrichment/text-steps.js';
import type { PlatformPost } from '../../platforms/platform.js';
import { ItemFaults } from '../../platforms/item-faults.js';
import { subjectsOfPost } from '../../content/suppressions/suppressed-subject.js';
import { Suppressions } from '../../content/suppressions/suppressions.service.js';
import { Platforms, type ServedTarget } from '../../platforms/platforms.js';
import { CommentsRepository } from '../../content/comments/comments.repository.js';
import type { JobProgress } from '../jobs/dto/job-progress.dto.js';
import type { Job } from '../jobs/job.entity.js';
import { JobProgressRepository } from '../jobs/job-progress.repository.js';
import type { JobRef } from '../jobs/jobs.repository.js';
import { MediaDownloader } from '../../content/media/media-downloader.js';
import type { PendingMedia } from '../../content/media/media.repository.js';
import { PostsRepository } from '../../content/posts/posts.repository.js';
import { TopicListings } from '../streams/topic-listings.js';
import { AsyncQueue } from './async-queue.js';
import { BatchWriter } from './batch-writer.js';
import { CommentSink } from './comment-sink.js';
import { EnrichmentPipeline } from './enrichment-pipeline.js';
import type { JobExecution } from './job-execution.js';
import { type ListedBatch, listPosts } from './listing.js';
import { parseCheckpoint, START } from './listing-checkpoint.js';
import { stopAtLimit } from './listing-plan.js';
import { gapBehind } from './listing-gap.js';
import { listingEnded, postsNotReached, postsStored } from './log/sentences.js';
import { MediaDownloads } from './media-downloads.js';
import type { StoredPost } from './stored-post.js';
import { MAX_FAILED_TREES, type QueuedTree, TREES_AT_ONCE, walkTrees } from './tree-walk.js';
import { WorkListRepository } from './work-list.repository.js';
import { WorkspaceKeywords } from './workspace-keywords.js';

/** More files than a gallery can have (20). */
const MAX_FILES_PER_POST = 50;

/** Shared state of the parts of one execution. */
interface Pipeline {
  enrichment: EnrichmentPipeline;
  trees: AsyncQueue<QueuedTree>;
  media: AsyncQueue<PendingMedia>;
}

/**
 * Executes a job from its last stored batch on: listing, comment trees and media are processed concurrently, each by
 * fetching, enriching and storing with one transaction per batch. This is the only place where these parts are
 * combined.
 */
@Injectable()
export class JobExecutor {
  private readonly logger = new Logger(JobExecutor.name);

  constructor(
    private readonly platforms: Platforms,
    private readonly analyzer: TextAnalyzer,
    private readonly keywords: WorkspaceKeywords,
    private readonly jobs: JobProgressRepository,
    private readonly posts: PostsRepository,
    private readonly comments: CommentsRepository,
    private readonly workList: WorkListRepository,
    private readonly writer: BatchWriter,
    private readonly downloader: MediaDownloader,
    private readonly topics: TopicListings,
    private readonly suppressions: Suppressions,
  ) {}

  /** Resolves when everything is stored. Throws the first failure of its parts. */
  async execute(execution: JobExecution): Promise<void> {
    const { job, lease, timings, plugins } = execution;
    const { logger, writer, downloader } = this;
    const frequencies = await this.keywords.read(job.workspaceId, lease.keywordsVersion);
    const steps = textSteps(this.analyzer, frequencies);
    const pipeline: Pipeline = {
      enrichment: new EnrichmentPipeline(new PluginStep(plugins), steps, timings),
      // Start long walks early, so that none of them is left to run by itself at the end.
      trees: new AsyncQueue<QueuedTree>((tree) => tree.numComments),
      media: new AsyncQueue<PendingMedia>(),
    };
    const { enrichment, trees, media } = pipeline;
    const { stored, bytes } = await this.resume(job, pipeline);
    const downloads = new MediaDownloads(execution, { downloader, writer, logger }, bytes);
    const sink = new CommentSink(execution, writer);

    const source = this.platforms.of({ type: job.targetType, name: job.target });
    execution.source = source.platform.source;
    execution.remaining = () => remainingWork(trees.unfinished, media.unfinished, downloads.until);
    const listing = this.storeListing(execution, source, pipeline, stored).finally(() => {
      trees.close();
      media.close();
    });
    const faults = new ItemFaults(MAX_FAILED_TREES);
    const walks = Array.from({ length: TREES_AT_ONCE }, () =>
      walkTrees(execution, trees, source.platform, enrichment, sink, faults),
    );
    void Promise.allSettled([listing, ...walks]).then(() => downloads.startTimeout());
    try {
      await execution.together([listing, ...walks, downloads.run(media)]);
    } finally {
      downloads.stopTimeout();
    }
    await sink.drain();
    faults.finish();
  }

  /** Queues the trees and media that earlier executions left; returns the posts and bytes that they stored. */
  private async resume(
    { workspaceId, id }: JobRef,
    { trees, media }: Pipeline,
  ): Promise<{ stored: string[]; bytes: number }> {
    const stored = await this.workList.storedPosts(workspaceId, id);
    const pending = await this.workList.pendingTrees(workspaceId, id);
    for (const tree of await this.posts.findTrees(workspaceId, pending))
      trees.push({ ...tree, stored: Promise.resolve() });
    for (const medium of await this.workList.pendingMedia(workspaceId, id)) media.push(medium);
    return { stored, bytes: await this.workList.downloadedBytes(workspaceId, id) };
  }

  /** Stores the listing batch by batch, and queues the trees and media of each batch. */
  private async storeListing(
    execution: JobExecution,
    source: ServedTarget,
    pipeline: Pipeline,
    stored: readonly string[],
  ): Promise<void> {
    const { job, lease, session, timings, clock } = execution;
    // Posts that were erased since still count.
    let storedPosts = job.postsScraped;
    const checkpoint = parseCheckpoint(lease.checkpoint);
    if (checkpoint === null && lease.checkpoint !== null)
      this.logger.warn({ jobId: job.id }, 'checkpoint not usable; listing restarted');
    const batches = listPosts(
      {
        platform: await this.topics.of(job.workspaceId, source),
        findExisting: (ids) => this.findExisting(job.workspaceId, ids),
      },
      {
        target: source.target,
        mode: job.mode,
        checkpoint: checkpoint ?? START,
        stored,
        room: () => job.postLimit - storedPosts,
        needsComments: job.scrapeComments,
        ...(job.mode === 'monitor' ? await this.jobs.findEarlierReads(job) : { gapStart: null, since: null }),
        session,
        timings,
        clock,
      },
    );
    const newestKnown =
      job.mode === 'monitor' && source.platform.countsGap === true ? await this.newestKnown(job) : null;
    let reached = START;
    for await (const batch of batches) {
      reached = batch.nextCheckpoint;
      storedPosts += await this.storeBatch(execution, pipeline, batch, storedPosts);
      if (storedPosts >= job.postLimit) break;
    }
    const gap = gapBehind(reached, newestKnown);
    if (gap === 0) return;
    execution.gap = gap;
    execution.log.add('warn', 'posts_not_reached', postsNotReached(gap), { posts: gap });
  }

  /** When the newest post that the last job on the target stored was created; null without one. */
  private async newestKnown(job: Job): Promise<Date | null> {
    const last = await this.jobs.findLast(job);
    if (last === null) return null;
    const ids = await this.workList.storedPosts(job.workspaceId, last);
    const posts = [...(await this.posts.summaries(job.workspaceId, ids)).values()];
    const newest = Math.max(...posts.map(({ createdUtc }) => createdUtc.getTime()));
    return posts.length === 0 ? null : new Date(newest);
  }

  private async findExisting(workspaceId: string, ids: readonly string[]): Promise<Map<string, StoredPost>> {
    const [posts, withComments] = await Promise.all([
      this.posts.findExisting(workspaceId, ids),
      this.comments.postsWithComments(workspaceId, ids),
    ]);
    const stored = new Map<string, StoredPost>();
    for (const [id, post] of posts)
      stored.set(id, { ...post, hasMissingComments: post.numComments > 0 && !withComments.has(id) });
    return stored;
  }

  /** Stores as many posts of a batch as the job has room for, without suppressed ones; returns their number. */
  private async storeBatch(
    execution: JobExecution,
    { enrichment, trees, media }: Pipeline,
    batch: ListedBatch,
    storedPosts: number,
  ): Promise<number> {
    const { job, timings } = execution;
    const enriched = await enrichment.posts(batch.posts, batch.readAt);
    const allowed = await this.suppressions.allowedNow(job.workspaceId, enriched, ({ row }) =>
      subjectsOfPost(row),
    );
    const posts = allowed.slice(0, job.postLimit - storedPosts);
    const isFull = storedPosts + posts.length >= job.postLimit;
    const pendingTrees = posts
      .map(({ post }) => post)
      .filter((post) => job.scrapeComments && post.numComments > 0 && !batch.unchangedComments.has(post.id));
    const writing = timings.timed('write', () =>
      this.writer.writePosts(execution, {
        posts,
        addsOnly: batch.isArchived,
        firstPosition: storedPosts,
        treesPending: new Set(pendingTrees.map(({ id }) => id)),
        media: job.downloadMedia ? posts.flatMap(({ post }) => mediaOf(post)) : [],
        checkpoint: isFull ? stopAtLimit(batch.nextCheckpoint) : batch.nextCheckpoint,
      }),
    );
    // Trees are walked while their posts are being written; only writing their comments waits for the posts.
    const stored = writing.then(() => undefined);
    // A failed write is thrown below.
    stored.catch(() => undefined);
    for (const { id, forum, permalink, numComments } of pendingTrees)
      trees.push({ id, forum, permalink, numComments, stored, readAt: batch.readAt });
    for (const medium of await writing) media.push(medium);
    const { stopReason } = isFull ? stopAtLimit(batch.nextCheckpoint) : batch.nextCheckpoint;
    execution.log.add('info', 'posts_stored', postsStored(posts.length, storedPosts + posts.length), {
      posts: posts.length,
      total: storedPosts + posts.length,
    });
    if (batch.failure !== null)
      execution.log.add('warn', 'listing_not_read', `A listing was left out: ${batch.failure}`);
    if (stopReason !== null)
      execution.log.add('info', 'listing_ended', listingEnded(stopReason), {
        stop_reason: stopReason,
      });
    return posts.length;
  }
}

function mediaOf(post: PlatformPost): PendingMedia[] {
  return post.media
    .slice(0, MAX_FILES_PER_POST)
    .map(({ url, audioUrl, otherAudioUrls = [], fallbackUrl = null }) => ({
      postId: post.id,
      url,
      audioUrls: audioUrl === null ? [] : [audioUrl, ...otherAudioUrls],
      fallbackUrl,
    }));
}

/** The rest of a job's work, as reported; `mediaUntil` is when its downloads are abandoned. */
function remainingWork(comments: number, files: number, mediaUntil: Date | null): JobProgress {
  return {
    ...(comments > 0 && { comments_pending: comments }),
    ...(files > 0 && { media_pending: files }),
    ...(files > 0 && mediaUntil !== null && { media_until: mediaUntil.toISOString() }),
  };
}
