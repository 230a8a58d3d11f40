import { LeaseLost } from '../../common/leased-work.js';
import { PlatformError } from '../../platforms/platform.js';
import { WorkerStopping, WorkspaceSuspended } from './job-execution.js';
import { failureBeforeStart, outcomeOfError } from './job-outcome.js';

it.each([
  [8, 1, null],
  [9, 0, 'internal_error'],
  [2, 1, null],
  [3, 2, 'worker_lost'],
])('at claim %i after %i deaths of workers a job fails with %s', (attempts, workerDeaths, code) => {
  const failure = failureBeforeStart({ attempts, workerDeaths });
  expect(failure).toEqual(
    code === null ? null : expect.objectContaining({ status: 'failed', errorCode: code }),
  );
});

const refusal = { status: 'failed', errorCode: 'target_banned', errorMessage: 'The forum is banned' };
it.each([
  [new PlatformError('target_banned', 'The forum is banned'), refusal],
  [new LeaseLost(), 'lost'],
  [new WorkerStopping(), 'stopping'],
  [new WorkspaceSuspended(), 'suspended'],
  [new Error('full'), 'broken off'],
])('an execution that %s ended has the outcome %j', (error, outcome) => {
  expect(outcomeOfError(error)).toEqual(outcome);
});
