import { LeaseLost } from '../../common/leased-work.js';
import { PlatformError } from '../../platforms/platform.js';
import type { JobOutcome } from '../jobs/job-progress.repository.js';
import { type JobExecution, WorkerStopping, WorkspaceSuspended } from './job-execution.js';

/** A job that is claimed more often than this without storing anything in between fails. */
const MAX_ATTEMPTS = 8;
/** A job whose worker died so often without storing anything in between fails. The launcher restarts a worker five times. */
const MAX_WORKER_DEATHS = 2;

/** Why an execution stopped without ending its job. */
export type Interruption = 'lost' | 'stopping' | 'suspended' | 'broken off';

/** The failure of a job that was claimed too often without storing anything in between; null when it may start. */
export function failureBeforeStart({
  workerDeaths,
  attempts,
}: Pick<JobExecution['lease'], 'workerDeaths' | 'attempts'>): JobOutcome | null {
  if (workerDeaths >= MAX_WORKER_DEATHS) return workerLost(workerDeaths);
  return attempts > MAX_ATTEMPTS ? givenUp(attempts - 1) : null;
}

/** What an error means for the job whose execution it ended. */
export function outcomeOfError(error: unknown): JobOutcome | Interruption {
  if (error instanceof PlatformError)
    return { status: 'failed', errorCode: error.code, errorMessage: error.message };
  if (error instanceof LeaseLost) return 'lost';
  if (error instanceof WorkerStopping) return 'stopping';
  if (error instanceof WorkspaceSuspended) return 'suspended';
  return 'broken off';
}

function workerLost(deaths: number): JobOutcome {
  return {
    status: 'failed',
    errorCode: 'worker_lost',
    errorMessage: `The worker ended ${deaths} times in a row while it executed this job, before it stored anything new. Everything stored earlier is kept`,
  };
}

function givenUp(attempts: number): JobOutcome {
  return {
    status: 'failed',
    errorCode: 'internal_error',
    errorMessage: `The scrape failed ${attempts} times in a row without storing anything new. The service log has the cause. Everything stored earlier is kept`,
  };
}
