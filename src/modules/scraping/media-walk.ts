import { Logger } from '@nestjs/common';
import type { Clock } from '../../common/clock.js';
import { type MediaDownloader, MediaRefused } from '../media/media-downloader.js';
import type { MediaFile } from '../media/media-file.entity.js';
import type { WantedMedia } from '../media/media.repository.js';
import type { AsyncQueue } from './async-queue.js';
import type { BatchWriter } from './batch-writer.js';
import type { ScrapeRun } from './scrape-run.js';

/** Files that one job downloads together, beside its walk. */
export const DOWNLOADS_AT_ONCE = 4;
/** When a job has downloaded so many bytes, over all its runs, it begins no further file. */
const MAX_JOB_BYTES = 20 * 1_024 ** 3;
/** How long a job whose posts and comments are stored waits for its media. */
const PATIENCE_MS = 30 * 60_000;

/** Bounds the wait for media once there is nothing else to wait for. */
export class MediaPatience {
  private readonly aborter = new AbortController();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly milliseconds = PATIENCE_MS) {}

  /** Aborted when it has come to an end. */
  get signal(): AbortSignal {
    return this.aborter.signal;
  }

  /** Everything else is done. */
  begin(): void {
    this.timer ??= setTimeout(() => this.aborter.abort(), this.milliseconds);
  }

  /** Media are done too. */
  end(): void {
    clearTimeout(this.timer);
  }
}

export interface MediaWalkParts {
  downloader: Pick<MediaDownloader, 'fetch'>;
  writer: Pick<BatchWriter, 'writeMedia'>;
  clock: Clock;
  logger: Pick<Logger, 'debug'>;
}

/**
 * Downloads what is queued until the queue is closed and empty. A file that cannot be had, or not within the job's bytes
 * and patience, is counted and fails nothing.
 */
export async function downloadMedia(
  run: ScrapeRun,
  queue: AsyncQueue<WantedMedia>,
  parts: MediaWalkParts,
  patience: AbortSignal,
): Promise<void> {
  for (let wanted = await queue.next(); wanted !== undefined; wanted = await queue.next()) {
    run.signal.throwIfAborted();
    const file = await fetchIfPossible(run, wanted, parts, patience);
    await run.timings.timed('write', () => parts.writer.writeMedia(run, wanted, file));
  }
}

async function fetchIfPossible(
  run: ScrapeRun,
  wanted: WantedMedia,
  parts: MediaWalkParts,
  patience: AbortSignal,
): Promise<MediaFile | null> {
  const { job } = run;
  try {
    if (run.mediaBytes >= MAX_JOB_BYTES) throw new MediaRefused('the job has downloaded enough');
    const signal = AbortSignal.any([run.signal, patience]);
    signal.throwIfAborted();
    const file = await run.timings.timed('media', () =>
      parts.downloader.fetch(job.workspaceId, wanted, parts.clock.now(), signal),
    );
    run.mediaBytes += file.size;
    return file;
  } catch (error) {
    run.signal.throwIfAborted();
    if (!(error instanceof MediaRefused) && !patience.aborted) throw error;
    const why = patience.aborted ? 'the job has waited long enough' : (error as Error).message;
    parts.logger.debug({ msg: 'media left out', jobId: job.id, postId: wanted.postId, why });
    return null;
  }
}
