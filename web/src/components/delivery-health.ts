import type { Schemas } from '../api/client.ts';

type Delivery = Pick<Schemas['DeliveryDto'], 'status' | 'error'>;

/** What became of a delivery so far: it arrived, failed (perhaps to be retried), or was not tried yet. */
export type Outcome = 'arrived' | 'failed' | 'waiting';

export const outcomeOf = ({ status, error }: Delivery): Outcome =>
  status === 'delivered' ? 'arrived' : status === 'pending' && error === null ? 'waiting' : 'failed';

/** Why an attempt failed, without the code for programs before it. */
export const reasonOf = (error: string): string => error.replace(/^[a-z_]+: /, '');

/** How deliveries to a destination go, from the newest ones. */
export interface DeliveryHealth {
  /** Oldest first. */
  outcomes: Outcome[];
  /** How many of the newest deliveries failed one after the other. */
  streak: number;
  /** Why the newest one failed; null if it did not. */
  reason: string | null;
}

/** The health of a destination from its newest deliveries, newest first. */
export function healthOf(deliveries: readonly Delivery[]): DeliveryHealth {
  const tried = deliveries.filter((one) => outcomeOf(one) !== 'waiting');
  const firstArrived = tried.findIndex((one) => outcomeOf(one) === 'arrived');
  const streak = firstArrived === -1 ? tried.length : firstArrived;
  return {
    outcomes: deliveries.map(outcomeOf).reverse(),
    streak,
    reason: streak === 0 || tried[0]!.error === null ? null : reasonOf(tried[0]!.error),
  };
}
