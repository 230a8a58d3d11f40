import { groupBy } from '../../common/collections.js';
import type { AttemptSummary } from '../webhooks/webhooks.repository.js';
import { type Destination, destinationKey } from './destination.js';
import type { DeliveryDecision } from './delivery-decision.js';

/** Summary of one batch's attempts on one destination. */
export interface DestinationSummary extends Omit<AttemptSummary, 'id'> {
  destination: Destination;
  /** Wait before the earliest retry in milliseconds; null when there is none. */
  retryInMs: number | null;
}

/** Summarizes decisions by destination, in the order in which rows are locked. Skips decisions without an attempt. */
export function summarizeAttempts(decisions: readonly DeliveryDecision[]): DestinationSummary[] {
  const groups = groupBy(
    decisions.filter(({ attempt }) => attempt !== null),
    ({ destination }) => destinationKey(destination),
  );
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => summaryOf(group));
}

function summaryOf(group: readonly DeliveryDecision[]): DestinationSummary {
  const attempts = group.map(({ attempt }) => attempt!);
  const lastSuccess = attempts.findLastIndex(({ succeeded, isPartial }) => succeeded || isPartial);
  const failures = attempts.slice(lastSuccess + 1);
  const retries = group.flatMap(({ retryInMs }) => (retryInMs === null ? [] : [retryInMs]));
  return {
    destination: group[0]!.destination,
    anySuccess: lastSuccess >= 0,
    failures: failures.length,
    failingSince: failures[0]?.at ?? null,
    lastAt: attempts.at(-1)!.at,
    retryInMs: retries.length === 0 ? null : Math.min(...retries),
  };
}
