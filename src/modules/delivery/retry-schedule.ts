import type { DeliveryOutcome } from '../notifications/channel.js';

const DAY_MS = 86_400_000;
/** A receiver may ask for at most this much patience. */
export const MAX_RETRY_AFTER_MS = DAY_MS;
/** A destination that only failed for this long is switched off. */
export const DISABLE_AFTER_MS = 5 * DAY_MS;
/** The longest a wait is stretched by chance, so that destinations that failed together do not return together. */
const JITTER = 0.2;

export type Verdict =
  | { kind: 'succeeded' }
  | { kind: 'retry'; at: Date }
  | { kind: 'exhausted'; reason: string }
  | { kind: 'disable_destination'; reason: string };

export interface Attempt {
  /** 1 for the first. */
  attemptNo: number;
  outcome: Pick<DeliveryOutcome, 'ok' | 'responseCode' | 'retryAfterMs' | 'permanent'>;
  /** Waits between attempts in milliseconds; the first attempt is made at once and is not in it. */
  schedule: readonly number[];
  /** When the destination's unbroken row of failures began; null when this is the first. */
  failingSince: Date | null;
  now: Date;
  /** In [0, 1). */
  random: () => number;
}

/** What follows from an attempt. A wait is never shorter than the schedule or the receiver asks, and up to a fifth longer. */
export function decide({ attemptNo, outcome, schedule, failingSince, now, random }: Attempt): Verdict {
  if (outcome.ok) return { kind: 'succeeded' };
  if (outcome.responseCode === 410)
    return { kind: 'disable_destination', reason: 'The receiver answered 410 Gone' };
  if (failingSince !== null && now.getTime() - failingSince.getTime() >= DISABLE_AFTER_MS)
    return { kind: 'disable_destination', reason: 'Every delivery failed for five days' };
  if (outcome.permanent)
    return { kind: 'exhausted', reason: 'The receiver refused it in a way that a repeat cannot mend' };
  const scheduled = schedule[attemptNo - 1];
  if (scheduled === undefined)
    return { kind: 'exhausted', reason: `All ${schedule.length + 1} attempts failed` };
  const wait = Math.max(scheduled, patienceAskedFor(outcome)) * (1 + JITTER * random());
  return { kind: 'retry', at: new Date(now.getTime() + Math.round(wait)) };
}

/** Only a receiver that says it is busy may set the pace (RFC 9110, 10.2.3; RFC 6585, 4). */
function patienceAskedFor({ responseCode, retryAfterMs }: Attempt['outcome']): number {
  const busy = responseCode === 429 || responseCode === 503;
  return busy ? Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS) : 0;
}
