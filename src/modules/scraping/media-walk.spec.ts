import { SystemClock } from '../../common/clock.js';
import type { Job } from '../jobs/job.entity.js';
import { MediaRefused } from '../media/media-downloader.js';
import type { MediaFile } from '../media/media-file.entity.js';
import type { WantedMedia } from '../media/media.repository.js';
import { AsyncQueue } from './async-queue.js';
import { downloadMedia, MediaPatience } from './media-walk.js';
import { ScrapeRun } from './scrape-run.js';

const GIB = 1_024 ** 3;

describe('the downloads of a job', () => {
  let run: ScrapeRun;
  let written: [string, boolean][];
  let tried: string[];

  beforeEach(() => {
    run = new ScrapeRun({ workspaceId: 'w', id: 'j', progress: {} } as Job, 'owner');
    written = [];
    tried = [];
  });

  const download = (
    urls: string[],
    fetch: (wanted: WantedMedia, signal: AbortSignal) => Promise<Partial<MediaFile>>,
    patience = new AbortController().signal,
  ): Promise<void> => {
    const queue = new AsyncQueue<WantedMedia>();
    for (const url of urls) queue.push({ postId: 't3_1', url, audioUrl: null });
    queue.close();
    const parts = {
      downloader: {
        fetch: (_workspaceId: string, wanted: WantedMedia, _now: Date, signal: AbortSignal) => {
          tried.push(wanted.url);
          return fetch(wanted, signal) as Promise<MediaFile>;
        },
      },
      writer: {
        writeMedia: (_run: ScrapeRun, wanted: WantedMedia, file: MediaFile | null) => {
          written.push([wanted.url, file !== null]);
          return Promise.resolve();
        },
      },
      clock: new SystemClock(),
      logger: { debug: () => undefined },
    };
    return downloadMedia(run, queue, parts, patience);
  };
  const untilAborted = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
    );

  it('count what cannot be had and go on', async () => {
    await download(['a', 'b'], ({ url }) =>
      url === 'b' ? Promise.reject(new MediaRefused('gone')) : Promise.resolve({ size: 1 }),
    );
    expect(Object.fromEntries(written)).toEqual({ a: true, b: false });
  });

  it('begin no further file once the job has its bytes, those of earlier runs included', async () => {
    run.mediaBytes = 20 * GIB - 1;
    await download(['a', 'b', 'c'], () => Promise.resolve({ size: 10 }));
    expect(tried).toHaveLength(1);
    expect(written.map(([, kept]) => kept)).toEqual([true, false, false]);
  });

  it('end when the patience does, a file under way too', async () => {
    const patience = new AbortController();
    const done = download(
      ['a', 'b'],
      (_wanted, signal) => {
        patience.abort();
        return signal.aborted ? Promise.reject(signal.reason as Error) : untilAborted(signal);
      },
      patience.signal,
    );
    await done;
    expect(tried).toHaveLength(1);
    expect(written.map(([, kept]) => kept)).toEqual([false, false]);
  });

  it('write nothing more once the run is stopped', async () => {
    const done = download(['a', 'b'], (_wanted, signal) => {
      queueMicrotask(() => run.abort(new Error('cancelled')));
      return untilAborted(signal);
    });
    await expect(done).rejects.toThrow('cancelled');
    expect(written).toEqual([]);
  });

  it('are waited for no longer than the patience, which begins when all else is done', async () => {
    const patience = new MediaPatience(1);
    expect(patience.signal.aborted).toBe(false);
    patience.begin();
    await new Promise((resolve) => patience.signal.addEventListener('abort', resolve, { once: true }));
    patience.end();
  });
});
