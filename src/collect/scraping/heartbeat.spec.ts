import { anExecution } from '../../../test/factories/executions.js';
import { LeaseLost } from '../../common/leased-work.js';
import type { JobExecution } from './job-execution.js';
import { Heartbeat } from './heartbeat.js';

const aborted = (execution: JobExecution): Promise<unknown> =>
  new Promise((resolve) =>
    execution.signal.addEventListener('abort', () => resolve(execution.signal.reason), { once: true }),
  );

const NO_LOG = { append: () => Promise.resolve() };

describe('Heartbeat', () => {
  let heartbeat: Heartbeat;
  // Always stop the heartbeat: one that keeps running would keep the test process alive.
  afterEach(() => heartbeat.stop());

  it.each([
    ['the lease is taken over', false, true],
    ['the job is cancelled', true, false],
  ])('aborts the execution when %s', async (_, isHeld, isRunning) => {
    const execution = anExecution();
    const answers: boolean[] = [true, isHeld];
    heartbeat = new Heartbeat(
      execution,
      { prolong: () => Promise.resolve(answers.shift() ?? isHeld) },
      { addProgress: () => Promise.resolve(answers.length > 0 || isRunning) },
      NO_LOG,
      1,
    );
    expect(await aborted(execution)).toBeInstanceOf(LeaseLost);
  });

  it('continues after a failure and writes the progress of the execution', async () => {
    const execution = anExecution({ progress: { requests: 3 } });
    let beats = 0;
    const shown = new Promise((resolve) => {
      heartbeat = new Heartbeat(
        execution,
        {
          prolong: () => {
            beats += 1;
            return beats === 1 ? Promise.reject(new Error('away')) : Promise.resolve(true);
          },
        },
        {
          addProgress: (_workspaceId, _id, progress) => {
            void heartbeat.stop().then(() => resolve(progress));
            return Promise.resolve(true);
          },
        },
        NO_LOG,
        1,
      );
    });
    execution.session.onRequest();
    expect(await shown).toMatchObject({ requests: 4 });
    expect(execution.signal.aborted).toBe(false);
  });
});
