import type { RunSql } from '../../database/run-sql.js';
import { SELECT_CLAIMS, type ClaimsRow } from '../../collect/jobs/select-claims.js';
import { ok, problem, skipped, type Finding } from './finding.js';

/** Checks that the running workers can claim jobs. */
export async function checkClaims(run: RunSql): Promise<Finding> {
  const [row] = await run<ClaimsRow>(SELECT_CLAIMS);
  const { alive, failing, seconds, reason } = row!;
  if (alive === 0) return skipped('job_claims', 'No worker is running');
  if (failing === 0)
    return ok('job_claims', `${alive} ${alive === 1 ? 'worker claims' : 'workers claim'} jobs`);
  return problem(
    'job_claims',
    `${failing} of ${alive} workers have not been able to claim jobs for ${seconds} s: ${reason}`,
    'Restore the right or object that the message names, or undo the last change of the database; workers then continue by themselves',
  );
}
