import type { RunSql } from '../../database/run-sql.js';
import { chainEnds, checkChain, unsealedCount } from '../../access/audit/read-chain.js';
import { faultMessage } from '../audit-log.js';
import { ok, problem, warning, type Finding } from './finding.js';

/** The newest entries, of which more than a second would be needed to check all of a large log. */
const NEWEST = 50_000n;

/** Checks that the newest audit entries are complete and unchanged, and that new ones are sealed. */
export async function checkAuditLog(run: RunSql): Promise<Finding> {
  const ends = await chainEnds(run);
  const newest = ends?.end.sequence ?? 0n;
  const result = await checkChain(run, newest > NEWEST ? newest - NEWEST : 0n);
  if ('fault' in result)
    return problem(
      'audit_log',
      faultMessage(result),
      'Compare the log with its last copy (npm run -s db -- audit), and find out who has the password of the database',
    );
  const waiting = await unsealedCount(run);
  if (waiting > 0)
    return warning(
      'audit_log',
      `${waiting === 1_000 ? 'At least 1,000' : waiting} audit entries have not been sealed for more than a minute`,
      'Start a process with the role worker or scheduler; if one runs, its log names the reason',
    );
  return ok(
    'audit_log',
    newest > NEWEST
      ? `The newest ${result.checked} audit entries are complete and unchanged; npm run db -- audit-check checks all`
      : `${result.checked} audit entries are complete and unchanged`,
  );
}
