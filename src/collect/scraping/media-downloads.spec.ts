import { jest } from '@jest/globals';
import { anExecution } from '../../../test/factories/executions.js';
import { MediaRefused } from '../../content/media/media-store.js';
import type { MediaFile } from '../../content/media/media-file.entity.js';
import type { PendingMedia } from '../../content/media/media.repository.js';
import { AsyncQueue } from './async-queue.js';
import type { JobExecution } from './job-execution.js';
import { MediaDownloads } from './media-downloads.js';

const GIB = 1_024 ** 3;
const BEYOND_QUOTA = 666;
type Fetch = (medium: PendingMedia, signal: AbortSignal) => Promise<Partial<MediaFile>>;

describe('the downloads of a job', () => {
  let execution: JobExecution;
  let written: [string, boolean][];
  let tried: string[];
  let discarded: number[];

  beforeEach(() => {
    execution = anExecution({}, { claimedAt: new Date(0) }, { now: () => new Date(0) });
    written = [];
    tried = [];
    discarded = [];
  });

  afterEach(() => jest.useRealTimers());

  const downloadsOf = (fetch: Fetch, bytes = 0): MediaDownloads =>
    new MediaDownloads(
      execution,
      {
        downloader: {
          fetch: (_workspaceId, medium, _now, signal) => {
            tried.push(medium.url);
            return fetch(medium, signal).then((file) => ({
              file: file as MediaFile,
              isNew: true,
              silentBecause: medium.url === 'silent' ? 'no track' : null,
            }));
          },
          discard: ({ file }) => {
            discarded.push(file.size);
            return Promise.resolve();
          },
        },
        writer: {
          writeMedia: (_execution, medium, file) => {
            if (file?.size === BEYOND_QUOTA) return Promise.reject(new MediaRefused('quota'));
            written.push([medium.url, file !== null]);
            return Promise.resolve();
          },
        },
        logger: { debug: () => undefined },
      },
      bytes,
    );
  const queueOf = (...urls: string[]): AsyncQueue<PendingMedia> => {
    const queue = new AsyncQueue<PendingMedia>();
    for (const url of urls) queue.push({ postId: 't3_1', url, audioUrls: [], fallbackUrl: null });
    queue.close();
    return queue;
  };
  const untilAborted = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
    );

  it('count a file that cannot be downloaded and continue', async () => {
    const fetch: Fetch = ({ url }) =>
      url === 'b' ? Promise.reject(new MediaRefused('gone')) : Promise.resolve({ size: 1 });
    await downloadsOf(fetch).run(queueOf('a', 'b'));
    expect(Object.fromEntries(written)).toEqual({ a: true, b: false });
    expect(execution.progress.media_failed_reason).toBe('gone');
  });

  it('report a video that was stored without its sound', async () => {
    await downloadsOf(() => Promise.resolve({ size: 1 })).run(queueOf('silent'));
    expect(Object.fromEntries(written)).toEqual({ silent: true });
    expect(execution.progress.media_failed_reason).toBe('A video was stored without its sound: no track');
  });

  it('discard a file that turns out to exceed the quota, and continue', async () => {
    const fetch: Fetch = ({ url }) => Promise.resolve({ size: url === 'a' ? BEYOND_QUOTA : 1 });
    await downloadsOf(fetch).run(queueOf('a', 'b'));
    expect(Object.fromEntries(written)).toEqual({ a: false, b: true });
    expect(discarded).toEqual([BEYOND_QUOTA]);
    expect(execution.progress.media_failed_reason).toBe('quota');
  });

  it('start no further file once the job has reached its byte limit', async () => {
    await downloadsOf(() => Promise.resolve({ size: 10 }), 20 * GIB - 1).run(queueOf('a'));
    await downloadsOf(() => Promise.resolve({ size: 10 }), 20 * GIB).run(queueOf('b', 'c'));
    expect(tried).toEqual(['a']);
    expect(written).toEqual([
      ['a', true],
      ['b', false],
      ['c', false],
    ]);
  });

  it('count the bytes of this execution too', async () => {
    const urls = ['a', 'b', 'c', 'd', 'e', 'f'];
    await downloadsOf(() => Promise.resolve({ size: 1 }), 20 * GIB - 4).run(queueOf(...urls));
    expect(tried).toEqual(['a', 'b', 'c', 'd']);
    expect(written.map(([, kept]) => kept)).toEqual([true, true, true, true, false, false]);
  });

  it('end at the time limit, aborting the file in progress', async () => {
    const downloads = downloadsOf((_wanted, signal) => {
      downloads.startTimeout(0);
      return signal.aborted ? Promise.reject(signal.reason as Error) : untilAborted(signal);
    });
    await downloads.run(queueOf('a', 'b', 'c', 'd', 'e', 'f'));
    downloads.stopTimeout();
    expect(tried).toEqual(['a', 'b', 'c', 'd']);
    expect(written.map(([, kept]) => kept)).toEqual(Array(6).fill(false));
  });

  it('keep the first time limit, until they end', () => {
    jest.useFakeTimers();
    const downloads = downloadsOf(() => Promise.resolve({ size: 1 }));
    downloads.startTimeout();
    const { until } = downloads;
    expect(until).toEqual(new Date(1_800_000));
    downloads.startTimeout(60_000);
    expect([downloads.until, jest.getTimerCount()]).toEqual([until, 1]);
    downloads.stopTimeout();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('fail on an unexpected error, even after the time limit', async () => {
    const downloads = downloadsOf((_wanted, signal) => {
      downloads.startTimeout(0);
      return untilAborted(signal).catch(() => Promise.reject(new Error('disk failed')));
    });
    await expect(downloads.run(queueOf('a'))).rejects.toThrow('disk failed');
    downloads.stopTimeout();
    expect(written).toEqual([]);
  });

  it('write nothing more once the execution is aborted', async () => {
    const downloads = downloadsOf((_wanted, signal) => {
      queueMicrotask(() => execution.abort(new Error('cancelled')));
      return untilAborted(signal);
    });
    await expect(downloads.run(queueOf('a', 'b'))).rejects.toThrow('cancelled');
    expect(written).toEqual([]);
  });
});
