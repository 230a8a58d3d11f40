import { jest } from '@jest/globals';
import { aJob } from '../../../test/factories/executions.js';
import { PluginRunner } from '../../enrichment/plugins/plugin-runner.js';
import type { Job } from '../jobs/job.entity.js';
import { JobExecution } from './job-execution.js';
import type { NewLogEntry } from './log/job-log.repository.js';

const CLAIMED_AT = new Date('2026-06-30T12:00:00Z');

describe('JobExecution', () => {
  /** Time of the process's clock, which runs an hour behind the database's. */
  let processTime: number;
  afterEach(() => jest.restoreAllMocks());
  beforeEach(() => void (processTime = CLAIMED_AT.getTime() - 3_600_000));

  const anExecution = (job: Partial<Job> = {}): JobExecution =>
    new JobExecution(
      aJob(job),
      {
        owner: 'spec',
        attempts: 1,
        workerDeaths: 0,
        checkpoint: null,
        keywordsVersion: 0,
        claimedAt: CLAIMED_AT,
      },
      new PluginRunner(),
      { now: () => new Date(processTime) },
    );

  it('derives the database time from the clock of the process', () => {
    const { clock } = anExecution();
    expect(clock.now()).toEqual(CLAIMED_AT);
    processTime += 5_000;
    expect(clock.now().getTime() - CLAIMED_AT.getTime()).toBe(5_000);
  });

  it('adds its requests to those of earlier executions', () => {
    const execution = anExecution({ progress: { requests: 7 } });
    execution.session.onRequest();
    expect(execution.progress).toEqual({ requests: 8 });
  });

  it.each([
    [100, 'high'],
    [101, 'normal'],
  ])('of %i posts requests in the turns of its workspace, with priority %s', (postLimit, priority) => {
    const { session } = anExecution({ workspaceId: 'one', postLimit });
    expect(session).toMatchObject({ workspaceId: 'one', priority });
  });

  it('reports waiting requests as its own waits until they proceed', () => {
    const time = jest.spyOn(performance, 'now').mockReturnValue(10_000);
    const { session, waits } = anExecution();
    const end = session.onWait!({ reason: 'budget', until: null, cause: 'The budget is used up' });
    time.mockReturnValue(11_000);
    expect(waits.current).toEqual({ reason: 'budget', until: null, cause: 'The budget is used up' });
    end();
    expect(waits.current).toBeNull();
  });

  it('logs once when it starts to wait and once when it continues', async () => {
    const execution = anExecution();
    const events = async (): Promise<string[]> => {
      const entries: NewLogEntry[] = [];
      await execution.log.flush({ append: (_w, _j, added) => Promise.resolve(void entries.push(...added)) });
      return entries.map(({ event }) => event);
    };
    const wait = { reason: 'retry', until: null, cause: 'The platform is away' } as const;
    const current = jest.spyOn(execution.waits, 'current', 'get').mockReturnValue(wait);
    expect(execution.currentProgress()).toMatchObject({ waiting_for: wait });
    expect(execution.currentProgress()).toMatchObject({ waiting_for: wait });
    expect(await events()).toEqual(['waiting']);
    current.mockReturnValue(null);
    expect(execution.currentProgress()).not.toHaveProperty('waiting_for');
    execution.currentProgress();
    expect(await events()).toEqual(['went_on']);
  });

  it('rejects with the first failure of its parts, after all of them have stopped', async () => {
    const execution = anExecution();
    let stopped = 0;
    const part = async (): Promise<void> => {
      await new Promise((resolve) => execution.signal.addEventListener('abort', resolve));
      stopped += 1;
      throw new Error('stopped');
    };
    const failed = Promise.reject(new Error('full'));
    await expect(execution.together([part(), failed, part()])).rejects.toThrow('full');
    expect(stopped).toBe(2);
  });
});
