/**
 * A worker without a heartbeat for this long counts as gone. It spans several heartbeats, so that a busy process still
 * counts as alive.
 */
export const ALIVE_FOR = '10 seconds';

/** Selects a {@link ClaimsRow}. */
export const SELECT_CLAIMS = `SELECT count(*)::int AS alive, count(claims_failing_since)::int AS failing,
    extract(epoch FROM clock_timestamp() - min(claims_failing_since))::int AS seconds,
    max(claim_failure) AS reason
  FROM job_workers WHERE seen_at > clock_timestamp() - interval '${ALIVE_FOR}'`;

/** Number of workers that are alive and of those whose claims fail, for how long, and one of their errors. */
export interface ClaimsRow {
  alive: number;
  failing: number;
  seconds: number | null;
  reason: string | null;
}
