import type { DeliveryAttempt } from './delivery.entity.js';
import type { DeliveryDecision } from './delivery-decision.js';

/** A decision as the statement that records it reads it. */
export const decisionRow = (decision: DeliveryDecision) => ({
  workspace_id: decision.destination.workspaceId,
  id: decision.deliveryId,
  status: decision.status,
  retry_in_ms: decision.retryInMs,
  succeeded: decision.attempt?.succeeded ?? false,
  response_code: decision.attempt?.responseCode ?? null,
  duration_ms: decision.attempt?.durationMs ?? null,
  error: decision.error,
  attempt: historyEntry(decision),
  remaining: decision.remaining ?? null,
});

function historyEntry({ attempt, error }: DeliveryDecision): DeliveryAttempt | null {
  if (attempt === null) return null;
  const { at, succeeded, responseCode, durationMs } = attempt;
  return { at: at.toISOString(), succeeded, responseCode, durationMs, error };
}
