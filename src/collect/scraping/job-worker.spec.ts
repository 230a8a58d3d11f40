import { Logger } from '@nestjs/common';
import { aJob, anExecution } from '../../../test/factories/executions.js';
import type { Job } from '../jobs/job.entity.js';
import { WorkerStopping, WorkspaceSuspended, type JobExecution } from './job-execution.js';
import { JobWorker } from './job-worker.js';
import type { NewLogEntry } from './log/job-log.repository.js';
import { withFakes } from '../../../test/support/with-fakes.js';

describe('JobWorker', () => {
  let inactive: Set<string>;
  let executed: number;
  /** The job as its execution ended it; null when it was cancelled meanwhile. */
  let endedJob: Job | null;
  let written: unknown[];
  let logged: NewLogEntry[];
  let worker: JobWorker;
  /** Resolves when the worker has checked its executions and found no further job. */
  let idle: Promise<void>;

  beforeAll(() => void Logger.overrideLogger(false));
  beforeEach(() => {
    inactive = new Set();
    executed = 0;
    endedJob = null;
    written = [];
    logged = [];
  });
  afterEach(() => worker.beforeApplicationShutdown());

  /** Executes one job with `execute` and returns how its execution ended, in the words of the trace. */
  function work(
    execution: JobExecution,
    execute: (execution: JobExecution) => Promise<void> = () => Promise.resolve(),
    waiting: JobExecution[] = [],
  ): Promise<string> {
    const queue = [execution, ...waiting];
    let becomeIdle: () => void;
    idle = new Promise((resolve) => (becomeIdle = resolve));
    const write =
      (what: string) =>
      (...given: unknown[]) => {
        written.push([what, ...given]);
        return Promise.resolve(true);
      };
    return new Promise((resolve) => {
      worker = withFakes(
        JobWorker,
        {
          claimNext: () => {
            if (queue.length === 0) becomeIdle();
            return Promise.resolve(queue.shift() ?? null);
          },
        },
        {
          execute: (one: JobExecution) => {
            executed += 1;
            return execute(one);
          },
        },
        {
          end: (_: unknown, outcome: unknown) => {
            written.push(['end', outcome]);
            return Promise.resolve(endedJob ?? 'cancelled');
          },
          abandon: () => Promise.resolve('lost'),
        },
        {
          prolong: () => Promise.resolve(true),
          release: (...given: unknown[]) => write('release')(...given.slice(2)),
        },
        { addProgress: () => Promise.resolve(true) },
        {
          append: (_w: string, _j: string, entries: NewLogEntry[]) => {
            logged.push(...entries);
            return write('log')(...entries.map(({ event }) => event));
          },
        },
        { has: (workspaceId: string) => inactive.has(workspaceId) },
        { running: { set: () => undefined }, leasesLost: { inc: () => written.push(['lost']) } },
        { end: ({ status }: Job) => written.push(['counted', status]) },
        {
          record: async (_name: string, _options: unknown, traced: () => Promise<string>) =>
            resolve(await traced()),
        },
        { end: () => undefined },
      );
      worker.wake();
    });
  }

  const given = (countsAttempt: boolean) => ['release', 'spec', countsAttempt];

  it('releases a job without counting the attempt on shutdown or suspension', async () => {
    for (const reason of [new WorkerStopping(), new WorkspaceSuspended()]) {
      written = [];
      expect(await work(anExecution(), () => Promise.reject(reason))).toBe('given back');
      expect(written).toContainEqual(given(false));
    }
  });

  it('stops the jobs of a workspace that is suspended, and no others', async () => {
    inactive.add('suspended');
    const stopped = (workspaceId: string): Promise<string> =>
      work(anExecution({ workspaceId }), async ({ signal }) => {
        await idle;
        signal.throwIfAborted();
      });
    expect(await stopped('suspended')).toBe('given back');
    expect(logged.at(-1)!.message).toBe('The workspace is suspended; the job continues when it is resumed');
    expect(await stopped('other')).toBe('cancelled');
  });

  it('logs the attempt number and whether the execution resumes an earlier one', async () => {
    for (const lease of [{}, { attempts: 3 }, { checkpoint: {} }]) await work(anExecution({}, lease));
    const starts = logged.filter(({ event }) => event === 'execution_started');
    expect(starts.map(({ details }) => details)).toEqual([
      { attempt: 1, resumed: false },
      { attempt: 3, resumed: true },
      { attempt: 1, resumed: true },
    ]);
  });

  it('releases a job and counts the attempt after an unexpected failure', async () => {
    expect(await work(anExecution(), () => Promise.reject(new Error('full')))).toBe('given back');
    expect(written).toContainEqual(given(true));
  });

  it('counts a job that this execution ended, and none that was cancelled meanwhile', async () => {
    expect(await work(anExecution())).toBe('cancelled');
    expect(written.flat()).not.toContain('counted');
    endedJob = aJob({ status: 'completed', completedAt: new Date(1_000) });
    expect(await work(anExecution())).toBe('completed');
    expect(written).toContainEqual(['counted', 'completed']);
  });

  it.each([
    ['another job', 0, 2],
    ['no other job at first, after the worker died,', 1, 1],
  ])('starts %s beside a job', async (_case, workerDeaths, expected) => {
    let beside = 0;
    const execute = async (): Promise<void> => {
      worker.wake();
      for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      beside ||= executed;
    };
    await work(anExecution({}, { workerDeaths }), execute, [anExecution()]);
    expect(beside).toBe(expected);
  });
});
