import { jest } from '@jest/globals';
import { aJob } from '../../../test/factories/executions.js';
import { JobDto } from './dto/job.dto.js';
import type { Job } from './job.entity.js';
import { type JobEvent, JobEventsService } from './job-events.service.js';
import { withFakes } from '../../../test/support/with-fakes.js';

describe('JobEventsService', () => {
  let stored: Job[];
  let reads: number;
  let isSuspended: boolean;
  let isAllowed: boolean;
  let service: JobEventsService;

  beforeEach(() => {
    jest.useFakeTimers();
    stored = [aJob()];
    reads = 0;
    isAllowed = true;
    isSuspended = false;
    service = withFakes(
      JobEventsService,
      {
        findAll: (_w: string, ids: string[]) => {
          reads += 1;
          return Promise.resolve(stored.filter(({ id }) => ids.includes(id)));
        },
      },
      { describe: (_w: string, jobs: Job[]) => Promise.resolve(jobs.map((job) => JobDto.from(job))) },
      { has: () => isSuspended },
    );
  });
  afterEach(() => {
    service.beforeApplicationShutdown();
    jest.useRealTimers();
  });

  const stillAllowed = (): Promise<boolean> => Promise.resolve(isAllowed);

  /** Watches the job and returns the types of the events so far; `closed` stands for the end of the stream. */
  function follow(): string[] {
    const types: string[] = [];
    service.watch(aJob(), stillAllowed).subscribe({
      next: ({ type }: JobEvent) => types.push(type),
      complete: () => types.push('closed'),
    });
    return types;
  }

  it('sends the record at once and after each change, heartbeats and the end', async () => {
    const types = follow();
    await jest.advanceTimersByTimeAsync(14_000);
    expect(types).toEqual(['progress']);
    stored = [aJob({ postsScraped: 5 })];
    await jest.advanceTimersByTimeAsync(250 + 14_999);
    expect(types).toEqual(['progress', 'progress']);
    await jest.advanceTimersByTimeAsync(1);
    expect(types).toEqual(['progress', 'progress', 'heartbeat']);
    stored = [aJob({ status: 'completed' })];
    await jest.advanceTimersByTimeAsync(1_000);
    expect(types).toEqual(['progress', 'progress', 'heartbeat', 'end', 'closed']);
  });

  it('reads the jobs of a workspace once for all its streams', async () => {
    follow();
    const types = follow();
    await jest.advanceTimersByTimeAsync(0);
    reads = 0;
    stored = [aJob({ status: 'completed' })];
    await jest.advanceTimersByTimeAsync(249);
    expect([types, reads]).toEqual([['progress'], 0]);
    await jest.advanceTimersByTimeAsync(1);
    expect([types, reads]).toEqual([['progress', 'end', 'closed'], 1]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('sends the record of each job of a workspace to its own stream', async () => {
    const jobsWith = (first: number, second: number): Job[] => [
      aJob({ id: 'first', postsScraped: first }),
      aJob({ id: 'second', postsScraped: second }),
    ];
    stored = jobsWith(1, 2);
    const sent = stored.map((job) => {
      const records: unknown[] = [];
      service
        .watch(job, stillAllowed)
        .subscribe(({ data }) => records.push('posts_scraped' in data && data.posts_scraped));
      return records;
    });
    stored = jobsWith(3, 4);
    await jest.advanceTimersByTimeAsync(250);
    expect(sent).toEqual([
      [1, 3],
      [2, 4],
    ]);
  });

  it('closes the stream of a job that is gone', async () => {
    const types = follow();
    stored = [];
    await jest.advanceTimersByTimeAsync(1_000);
    expect(types).toEqual(['progress', 'closed']);
  });

  it('closes a stream within five seconds after its key or session has ended', async () => {
    const types = follow();
    await jest.advanceTimersByTimeAsync(6_000);
    isAllowed = false;
    await jest.advanceTimersByTimeAsync(5_000);
    expect(types).toEqual(['progress', 'closed']);
  });

  it('closes the streams of a suspended workspace', async () => {
    const types = follow();
    await jest.advanceTimersByTimeAsync(1_000);
    isSuspended = true;
    await jest.advanceTimersByTimeAsync(250);
    expect(types).toEqual(['progress', 'closed']);
  });

  it('serves at most 1,000 streams at a time, and accepts another when one ends', () => {
    const streams = Array.from({ length: 1_000 }, () => service.watch(aJob(), stillAllowed).subscribe());
    expect(() => service.watch(aJob(), stillAllowed)).toThrow('maximum of 1000');
    streams[0]!.unsubscribe();
    expect(follow()).toEqual(['progress']);
  });
});
