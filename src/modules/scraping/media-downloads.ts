import type { MediaDownloader } from '../media/media-downloader.js';
import { MediaRefused } from '../media/media-store.js';
import type { MediaFile } from '../media/media-file.entity.js';
import type { PendingMedia } from '../media/media.repository.js';
import type { AsyncQueue } from './async-queue.js';
import type { BatchWriter } from './batch-writer.js';
import type { JobExecution } from './job-execution.js';

/** Files that one job downloads at a time, beside its listing and comment trees. */
const DOWNLOADS_AT_ONCE = 4;
/** When a job has downloaded this many bytes, over all its executions, it begins no further file. */
const MAX_JOB_BYTES = 20 * 1_024 ** 3;
/** How long a job whose posts and comments are stored waits for its media. */
const TIMEOUT_MS = 30 * 60_000;

/** Services of the downloads. */
export interface MediaDownloadsDependencies {
  downloader: Pick<MediaDownloader, 'fetch'>;
  writer: Pick<BatchWriter, 'writeMedia'>;
  logger: { debug(fields: object): void };
}

/** Downloads a job's media. A file that cannot be downloaded, or not within the job's limits, is counted and fails nothing. */
export class MediaDownloads {
  private readonly timeout = new AbortController();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly execution: JobExecution,
    private readonly dependencies: MediaDownloadsDependencies,
    /** Bytes that the job has downloaded, earlier executions included. */
    private bytes: number,
  ) {}

  /** Downloads what is queued until the queue is closed and empty. */
  async run(queue: AsyncQueue<PendingMedia>): Promise<void> {
    await Promise.all(Array.from({ length: DOWNLOADS_AT_ONCE }, () => this.downloadNext(queue)));
  }

  /** Starts the time limit: nothing else is left to do for the job. */
  startTimeout(milliseconds = TIMEOUT_MS): void {
    this.timer ??= setTimeout(() => this.timeout.abort(), milliseconds);
  }

  /** Stops the time limit. */
  stopTimeout(): void {
    clearTimeout(this.timer);
  }

  private async downloadNext(queue: AsyncQueue<PendingMedia>): Promise<void> {
    const { execution, dependencies } = this;
    for await (const medium of queue) {
      execution.signal.throwIfAborted();
      const file = await this.fetch(medium);
      await execution.timings.timed('write', () => dependencies.writer.writeMedia(execution, medium, file));
    }
  }

  /** The file; null when there is nothing to keep. Throws when the execution is aborted or something unforeseen happens. */
  private async fetch(medium: PendingMedia): Promise<MediaFile | null> {
    const { job, signal, timings, clock } = this.execution;
    try {
      if (this.bytes >= MAX_JOB_BYTES) throw new MediaRefused('the job has downloaded its maximum of bytes');
      const either = AbortSignal.any([signal, this.timeout.signal]);
      either.throwIfAborted();
      const file = await timings.timed('media', () =>
        this.dependencies.downloader.fetch(job.workspaceId, medium, clock.now(), either),
      );
      this.bytes += file.size;
      return file;
    } catch (error) {
      signal.throwIfAborted();
      const hasTimedOut = this.timeout.signal.aborted;
      if (!(error instanceof MediaRefused) && !hasTimedOut) throw error;
      const reason = hasTimedOut ? 'the job has waited for media long enough' : (error as Error).message;
      const { workspaceId, id: jobId } = job;
      this.dependencies.logger.debug({
        msg: 'media left out',
        workspaceId,
        jobId,
        postId: medium.postId,
        reason,
      });
      return null;
    }
  }
}
