import { aJob } from '../../../test/factories/executions.js';
import type { Job } from './job.entity.js';
import { JobRecords } from './job-records.js';

const NOW = new Date('2026-06-30T12:00:00Z');

/** Fakes of its dependencies, limited to the methods that these tests call. */
type Dependencies = ConstructorParameters<typeof JobRecords>;

describe('JobRecords', () => {
  let answers: Promise<boolean>[];
  let records: JobRecords;

  beforeEach(() => {
    records = new JobRecords(
      ...([
        { isAnyAlive: () => answers.shift() },
        { positions: () => Promise.resolve({ positions: new Map([['waiting', 3]]), running: 2 }) },
        { now: () => NOW },
      ] as unknown as Dependencies),
    );
  });

  const aged = (id: string, ms: number, changes: Partial<Job> = {}): Job =>
    aJob({ id, status: 'pending', createdAt: new Date(NOW.getTime() - ms), ...changes });
  const JOBS = [
    aged('new', 1_000),
    aged('waiting', 1_001),
    aged('running', 9_000, { status: 'running' }),
    aged('ended', 9_000, { status: 'completed' }),
  ];
  const waits = async (jobs: readonly Job[]) =>
    (await records.describe('w', jobs)).map(({ progress }) => progress.waiting_for?.reason);

  it('include what a job waits for once it has been pending for more than a second', async () => {
    answers = [Promise.resolve(true)];
    expect(await waits(JOBS)).toEqual([undefined, 'turn', undefined, undefined]);
  });

  it('report that no worker is running, for jobs that need one', async () => {
    answers = [Promise.resolve(false)];
    expect(await waits(JOBS)).toEqual([undefined, 'worker', 'worker', undefined]);
  });

  it('query for workers once a second, and again after a failure', async () => {
    answers = [Promise.reject(new Error('away')), Promise.resolve(false), Promise.resolve(true)];
    await expect(waits(JOBS)).rejects.toThrow('away');
    expect((await waits(JOBS))[2]).toBe('worker');
    expect((await waits(JOBS))[2]).toBe('worker');
    expect(answers).toHaveLength(1);
  });

  it('query nothing when all jobs are new or have ended', async () => {
    answers = [];
    expect(await waits([JOBS[0]!, JOBS[3]!])).toEqual([undefined, undefined]);
  });
});
