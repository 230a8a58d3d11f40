import type { DeliveryOutcome } from '../notifications/channel.js';
import type { ClaimedDelivery } from './delivery-claims.repository.js';
import type { RecordedOutcome } from './recorded-outcome.js';
import { decide } from './retry-schedule.js';

export interface Ruling {
  recorded: RecordedOutcome;
  /** Why the destination is to be switched off; null when it is not. */
  disable: string | null;
}

/** What is written of an attempt, and what follows from it. */
export function rule(
  delivery: ClaimedDelivery,
  outcome: DeliveryOutcome,
  {
    at,
    now,
    schedule,
    failingSince,
    random,
  }: {
    /** When the attempt began. */
    at: Date;
    now: Date;
    schedule: readonly number[];
    failingSince: Date | null;
    random: () => number;
  },
): Ruling {
  if (isUnsendable(outcome)) return unsent(delivery, outcome.error ?? 'There is nothing to send it to');
  const { destination, deliveryId, schedulePosition } = delivery;
  const verdict = decide({
    attemptNo: schedulePosition + 1,
    outcome,
    schedule,
    failingSince,
    now,
    random,
  });
  const base = {
    destination,
    deliveryId,
    attempt: {
      at,
      succeeded: outcome.ok,
      responseCode: outcome.responseCode,
      durationMs: outcome.durationMs,
    },
    error: outcome.ok ? null : (outcome.error ?? 'The attempt failed'),
    retryInMs: null,
  };
  switch (verdict.kind) {
    case 'succeeded':
      return { recorded: { ...base, status: 'delivered' }, disable: null };
    case 'retry':
      return {
        recorded: { ...base, status: 'pending', retryInMs: verdict.at.getTime() - now.getTime() },
        disable: null,
      };
    case 'exhausted':
      return { recorded: { ...base, status: 'failed' }, disable: null };
    case 'disable_destination':
      return { recorded: { ...base, status: 'failed' }, disable: verdict.reason };
  }
}

/** Nobody was asked and nobody could be: there is no address, no recipient, no mail server. */
const isUnsendable = ({ permanent, responseCode }: DeliveryOutcome): boolean =>
  permanent === true && responseCode === null;

/** What is written of a delivery that is not sent. */
export function unsent({ destination, deliveryId }: ClaimedDelivery, reason: string): Ruling {
  return {
    recorded: {
      destination,
      deliveryId,
      status: 'undeliverable',
      retryInMs: null,
      attempt: null,
      error: reason,
    },
    disable: null,
  };
}
