import type { DeliveryAttempt, DeliveryStatus } from './delivery.entity.js';
import type { Destination } from './destination.js';

/** What became of one claimed delivery. */
export interface RecordedOutcome {
  destination: Destination;
  deliveryId: string;
  status: DeliveryStatus;
  /** With status pending. */
  retryInMs: number | null;
  /** Null when nothing was sent. */
  attempt: {
    at: Date;
    succeeded: boolean;
    responseCode: number | null;
    durationMs: number;
  } | null;
  error: string | null;
}

/** Outcomes as Postgres is handed them, sorted as rows are locked. */
export function outcomeRows(outcomes: readonly RecordedOutcome[]) {
  return outcomes.map(rowOf).sort((a, b) => (a.workspace_id + a.id < b.workspace_id + b.id ? -1 : 1));
}

const rowOf = (outcome: RecordedOutcome) => ({
  workspace_id: outcome.destination.workspaceId,
  id: outcome.deliveryId,
  status: outcome.status,
  retry_in_ms: outcome.retryInMs,
  succeeded: outcome.attempt?.succeeded ?? false,
  response_code: outcome.attempt?.responseCode ?? null,
  duration_ms: outcome.attempt?.durationMs ?? null,
  error: outcome.error,
  attempt: attemptOf(outcome),
});

/** As it is stored in the delivery's history. */
function attemptOf({ attempt, error }: RecordedOutcome): DeliveryAttempt | null {
  if (attempt === null) return null;
  const { at, succeeded, responseCode, durationMs } = attempt;
  return { at: at.toISOString(), succeeded, responseCode, durationMs, error };
}
