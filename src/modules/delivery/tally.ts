import { groupBy } from '../../common/group-by.js';
import type { AttemptTally } from '../webhooks/webhooks.repository.js';
import type { LaneTally } from './delivery-claims.repository.js';
import type { RecordedOutcome } from './recorded-outcome.js';
import { type Destination, destinationKey } from './destination.js';

export interface DestinationTally extends LaneTally, Omit<AttemptTally, 'id'> {
  destination: Destination;
}

/** What outcomes come to for each destination, sorted as rows are locked. Those without an attempt do not count. */
export function tallyOutcomes(outcomes: readonly RecordedOutcome[]): DestinationTally[] {
  const groups = groupBy(
    outcomes.filter(({ attempt }) => attempt !== null),
    ({ destination }) => destinationKey(destination),
  );
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => tallyOf(group));
}

function tallyOf(group: readonly RecordedOutcome[]): DestinationTally {
  const attempts = group.map(({ attempt }) => attempt!);
  const lastSuccess = attempts.findLastIndex(({ succeeded }) => succeeded);
  const failures = attempts.slice(lastSuccess + 1);
  const retries = group.flatMap(({ retryInMs }) => (retryInMs === null ? [] : [retryInMs]));
  return {
    destination: group[0]!.destination,
    anySuccess: lastSuccess >= 0,
    failures: failures.length,
    failingSince: failures[0]?.at ?? null,
    lastAt: attempts.at(-1)!.at,
    dueInMs: retries.length === 0 ? null : Math.min(...retries),
  };
}
