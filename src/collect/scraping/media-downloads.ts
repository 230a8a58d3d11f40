import type { MediaDownloader } from '../../content/media/media-downloader.js';
import { MediaRefused } from '../../content/media/media-store.js';
import type { MediaFile } from '../../content/media/media-file.entity.js';
import type { PendingMedia } from '../../content/media/media.repository.js';
import type { AsyncQueue } from './async-queue.js';
import type { BatchWriter } from './batch-writer.js';
import type { JobExecution } from './job-execution.js';

/** Files that one job downloads at a time, concurrently with its listing and comment trees. */
const DOWNLOADS_AT_ONCE = 4;
/** Once a job has downloaded this many bytes, over all its executions, it starts no further download. */
const MAX_JOB_BYTES = 20 * 1_024 ** 3;
/** How long a job whose posts and comments are stored waits for its media, in milliseconds. */
const TIMEOUT_MS = 30 * 60_000;

/** Dependencies of {@link MediaDownloads}. */
export interface MediaDownloadsDependencies {
  downloader: Pick<MediaDownloader, 'fetch' | 'discard'>;
  writer: Pick<BatchWriter, 'writeMedia'>;
  logger: { debug(fields: object): void };
}

/**
 * Downloads a job's media. A file that cannot be downloaded within the job's limits is counted as failed; the job
 * continues.
 */
export class MediaDownloads {
  private readonly timeout = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  /** When the time limit ends; null before it starts. */
  until: Date | null = null;

  constructor(
    private readonly execution: JobExecution,
    private readonly dependencies: MediaDownloadsDependencies,
    /** Bytes that the job has downloaded, including earlier executions. */
    private bytes: number,
  ) {}

  /** Downloads queued files until the queue is closed and empty. */
  async run(queue: AsyncQueue<PendingMedia>): Promise<void> {
    await Promise.all(Array.from({ length: DOWNLOADS_AT_ONCE }, () => this.downloadNext(queue)));
  }

  /** Starts the time limit, once the job has nothing else left to do. */
  startTimeout(milliseconds = TIMEOUT_MS): void {
    this.until ??= new Date(this.execution.clock.now().getTime() + milliseconds);
    this.timer ??= setTimeout(() => this.timeout.abort(), milliseconds);
  }

  /** Stops the time limit. */
  stopTimeout(): void {
    clearTimeout(this.timer);
  }

  private async downloadNext(queue: AsyncQueue<PendingMedia>): Promise<void> {
    const { signal } = this.execution;
    for await (const medium of queue) {
      signal.throwIfAborted();
      try {
        await this.download(medium);
      } catch (error) {
        signal.throwIfAborted();
        const reason = this.reasonToLeaveOut(error);
        if (reason === null) throw error;
        this.leaveOut(medium, reason);
        await this.write(medium, null);
      }
    }
  }

  private async download(medium: PendingMedia): Promise<void> {
    const { job, signal, timings, clock } = this.execution;
    const { downloader } = this.dependencies;
    if (this.bytes >= MAX_JOB_BYTES) throw new MediaRefused('The job has reached its download limit.');
    const either = AbortSignal.any([signal, this.timeout.signal]);
    either.throwIfAborted();
    const downloaded = await timings.timed('media', () =>
      downloader.fetch(job.workspaceId, medium, clock.now(), either),
    );
    this.bytes += downloaded.file.size;
    try {
      await this.write(medium, downloaded.file);
      if (downloaded.silentBecause !== null) this.reportSilent(medium, downloaded.silentBecause);
    } catch (error) {
      if (error instanceof MediaRefused) await downloader.discard(downloaded);
      throw error;
    }
  }

  private write(medium: PendingMedia, file: MediaFile | null): Promise<void> {
    const { execution, dependencies } = this;
    return execution.timings.timed('write', () => dependencies.writer.writeMedia(execution, medium, file));
  }

  /** Why the file is skipped; null for an unexpected error, which ends the execution. */
  private reasonToLeaveOut(error: unknown): string | null {
    if (error instanceof MediaRefused) return error.message;
    return this.timeout.signal.aborted && error === this.timeout.signal.reason
      ? 'The job has reached its time limit for media.'
      : null;
  }

  private reportSilent({ postId }: PendingMedia, reason: string): void {
    const message = `A video was stored without its sound: ${reason}`;
    // A medium that is missing as a whole matters more.
    this.execution.mediaFailedReason ??= message;
    this.execution.log.add('warn', 'media_without_sound', message, { post_id: postId, reason });
  }

  private leaveOut({ postId }: PendingMedia, reason: string): void {
    const { workspaceId, id: jobId } = this.execution.job;
    this.execution.mediaFailedReason = reason;
    this.execution.log.add('warn', 'media_left_out', `A media file was skipped: ${reason}`, {
      post_id: postId,
      reason,
    });
    this.dependencies.logger.debug({ msg: 'media left out', workspaceId, jobId, postId, reason });
  }
}
