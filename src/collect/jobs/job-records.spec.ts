import { aJob } from '../../../test/factories/executions.js';
import type { Job } from './job.entity.js';
import type { WorkersState } from './job-workers.repository.js';
import { JobRecords } from './job-records.js';
import { withFakes } from '../../../test/support/with-fakes.js';

const NOW = new Date('2026-06-30T12:00:00Z');

describe('JobRecords', () => {
  let answers: Promise<WorkersState>[];
  let records: JobRecords;
  let position: number;
  let running: number;

  beforeEach(() => {
    [position, running] = [3, 2];
    records = withFakes(
      JobRecords,
      { state: () => answers.shift() },
      { positions: () => Promise.resolve({ positions: new Map([['waiting', position]]), running }) },
      { now: () => NOW },
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
    answers = [Promise.resolve('claiming')];
    expect(await waits(JOBS)).toEqual([undefined, 'turn', undefined, undefined]);
  });

  it.each([
    [1, 0, 'Next job of this workspace; all workers are busy, and workspaces take turns'],
    [1, 1, 'Next job of this workspace, which has 1 running; workspaces take turns'],
    [2, 1, '1 job of this workspace will start first; 1 is running'],
    [3, 2, '2 jobs of this workspace will start first; 2 are running'],
  ])('explain position %d of a workspace with %d running jobs', async (at, already, cause) => {
    [position, running] = [at, already];
    answers = [Promise.resolve('claiming')];
    const [, waiting] = await records.describe('w', JOBS);
    expect(waiting!.progress.waiting_for).toEqual({ reason: 'turn', until: null, cause, position });
  });

  it('explain no position of a job that has just started', async () => {
    answers = [Promise.resolve('claiming')];
    const [record] = await records.describe('w', [aged('started', 2_000)]);
    const cause = 'Other jobs start first';
    expect(record!.progress.waiting_for).toEqual({ reason: 'turn', until: null, cause });
  });

  it('report that no worker is running, for jobs that need one', async () => {
    answers = [Promise.resolve('none')];
    expect(await waits(JOBS)).toEqual([undefined, 'worker', 'worker', undefined]);
  });

  it('report that all workers fail to claim jobs, for jobs that are pending', async () => {
    answers = [Promise.resolve('failing')];
    expect(await waits(JOBS)).toEqual([undefined, 'claims', undefined, undefined]);
  });

  it('query for workers once a second, and again after a failure', async () => {
    answers = [Promise.reject(new Error('away')), Promise.resolve('none'), Promise.resolve('claiming')];
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
