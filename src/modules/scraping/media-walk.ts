import { Logger } from '@nestjs/common';
import type { Clock } from '../../common/clock.js';
import { type MediaDownloader, MediaRefused } from '../media/media-downloader.js';
import type { WantedMedia } from '../media/media.repository.js';
import type { AsyncQueue } from './async-queue.js';
import type { BatchWriter } from './batch-writer.js';
import type { ScrapeRun } from './scrape-run.js';

/** Files that one job downloads together, beside its walk. */
export const DOWNLOADS_AT_ONCE = 4;
/** What one run of a job downloads at most, in bytes; what is beyond is left where it is. */
const MAX_RUN_BYTES = 20 * 1_024 ** 3;

export interface MediaWalkParts {
  downloader: MediaDownloader;
  writer: BatchWriter;
  clock: Clock;
  logger: Logger;
}

/** Downloads what is queued until the queue is closed and empty. A file that cannot be had is counted and fails nothing. */
export async function downloadMedia(
  run: ScrapeRun,
  queue: AsyncQueue<WantedMedia>,
  parts: MediaWalkParts,
): Promise<void> {
  for (let wanted = await queue.next(); wanted !== undefined; wanted = await queue.next()) {
    run.signal.throwIfAborted();
    try {
      if (run.mediaBytes > MAX_RUN_BYTES) throw new MediaRefused('the job has downloaded enough');
      const file = await parts.downloader.fetch(run.job.workspaceId, wanted, parts.clock.now(), run.signal);
      run.mediaBytes += file.size;
      await parts.writer.writeMedia(run, wanted, file);
    } catch (error) {
      if (!(error instanceof MediaRefused)) throw error;
      parts.logger.debug({
        msg: 'media left out',
        jobId: run.job.id,
        postId: wanted.postId,
        why: error.message,
      });
      await parts.writer.writeMedia(run, wanted, null);
    }
  }
}
