import { Inject, Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { TextAnalyzer } from '../../enrichment/analyzer.js';
import { PluginRegistry } from '../../enrichment/plugins/plugin-registry.js';
import { PluginRunner } from '../../enrichment/plugins/plugin-runner.js';
import { type Archive, ARCHIVE, PLATFORM, type Platform } from '../../platforms/platform.js';
import { JobRunsRepository } from '../jobs/job-runs.repository.js';
import { JobWorkRepository } from '../jobs/job-work.repository.js';
import { MediaDownloader } from '../media/media-downloader.js';
import { MediaRepository, type WantedMedia } from '../media/media.repository.js';
import { PostsRepository } from '../posts/posts.repository.js';
import { AsyncQueue } from './async-queue.js';
import { BatchEnrichment } from './batch-enrichment.js';
import { BatchWriter } from './batch-writer.js';
import { CommentSink } from './comment-sink.js';
import { ListingWalk } from './listing-walk.js';
import { DOWNLOADS_AT_ONCE, downloadMedia, MediaPatience } from './media-walk.js';
import type { ScrapeRun } from './scrape-run.js';
import { type QueuedTree, TREES_AT_ONCE, walkTrees } from './tree-walk.js';
import { WorkspaceKeywords } from './workspace-keywords.js';

/** What a run does: listings and comment trees side by side, from where the job's last batch left them. */
@Injectable()
export class ScrapeWork {
  private readonly logger = new Logger(ScrapeWork.name);

  constructor(
    @Inject(PLATFORM) private readonly platform: Platform,
    @Inject(ARCHIVE) private readonly archive: Archive | null,
    private readonly analyzer: TextAnalyzer,
    private readonly plugins: PluginRegistry,
    private readonly runs: JobRunsRepository,
    private readonly work: JobWorkRepository,
    private readonly posts: PostsRepository,
    private readonly writer: BatchWriter,
    private readonly media: MediaRepository,
    private readonly downloader: MediaDownloader,
    private readonly clock: Clock,
    private readonly keywords: WorkspaceKeywords,
  ) {}

  /** Returns when everything is stored. Throws what stopped it. */
  async do(run: ScrapeRun): Promise<void> {
    const { workspaceId, id } = run.job;
    const plugins = new PluginRunner(this.plugins.pick(run.job.plugins), {
      workspaceId,
      jobId: id,
      target: run.job.target,
    });
    run.plugins = plugins;
    const frequencies = await this.keywords.ofJob(workspaceId, id);
    const enrichment = new BatchEnrichment(plugins, this.analyzer, this.clock, frequencies);
    const stored = new Set(await this.work.storedPosts(workspaceId, id));
    // Long walks begin early, so that no single one is left for the end.
    const trees = new AsyncQueue<QueuedTree>((tree) => tree.numComments);
    for (const tree of await this.work.pendingTrees(workspaceId, id))
      trees.push({ ...tree, stored: Promise.resolve() });
    const media = new AsyncQueue<WantedMedia>();
    for (const medium of await this.media.pending(workspaceId, id)) media.push(medium);
    run.mediaBytes = await this.media.bytesOf(workspaceId, id);
    const sink = new CommentSink(run, this.writer);
    const listing = new ListingWalk(
      run,
      { platform: this.platform, archive: this.archive, posts: this.posts, writer: this.writer, enrichment },
      stored,
      run.job.mode === 'monitor' ? await this.runs.gapSince(run.job) : null,
      (tree) => trees.push(tree),
      (medium) => media.push(medium),
    );
    const walked = listing.walk().finally(() => {
      trees.close();
      media.close();
    });
    const parts = {
      downloader: this.downloader,
      writer: this.writer,
      clock: this.clock,
      logger: this.logger,
    };
    const walks = [
      walked,
      ...Array.from({ length: TREES_AT_ONCE }, () => walkTrees(run, trees, this.platform, enrichment, sink)),
    ];
    const patience = new MediaPatience();
    void Promise.allSettled(walks).then(() => patience.begin());
    const downloads = Array.from({ length: DOWNLOADS_AT_ONCE }, () =>
      downloadMedia(run, media, parts, patience.signal),
    );
    try {
      await run.together([...walks, ...downloads]);
    } finally {
      patience.end();
    }
    await sink.drain();
  }
}
