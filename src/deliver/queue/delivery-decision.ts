import { MAX_STATED_DELAY_MS } from '../../infrastructure/outbound-http/stated-delay.js';
import type { DeliveryOutcome } from '../../messages/channels/channel.js';
import type { DeliveryStatus } from './delivery.entity.js';
import type { Destination } from './destination.js';

const DAY_MS = 86_400_000;
/** A destination is disabled after all its attempts have failed for this long, in milliseconds. */
const DISABLE_AFTER_MS = 5 * DAY_MS;
/** Largest fraction by which a wait is lengthened at random, so that deliveries that failed together are spread out. */
const JITTER = 0.2;

/** The record of one delivery after an attempt, or when no request is sent. */
export interface DeliveryDecision {
  destination: Destination;
  deliveryId: string;
  status: DeliveryStatus;
  /** Wait before the next attempt in milliseconds; null unless the status is `pending`. */
  retryInMs: number | null;
  /** Null when no request was sent. */
  attempt: {
    at: Date;
    succeeded: boolean;
    responseCode: number | null;
    durationMs: number;
    /** Whether some of several recipients were reached: then the destination works. Default: as `succeeded`. */
    isPartial?: boolean;
  } | null;
  error: string | null;
  /** Of several recipients, those that no attempt has reached; absent when nothing is known of single ones. */
  remaining?: readonly string[];
  /** Why the destination must be disabled; null when it stays enabled. */
  disableReason: string | null;
}

/** The effect of an outcome on the delivery, regardless of earlier attempts. */
export type ResponseClass = 'succeeded' | 'unsendable' | 'gone' | 'permanent' | 'transient';

/**
 * Classifies the outcome of an attempt. `unsendable`: no request could be sent, because an address, a recipient or the
 * mail server is missing. `gone`: 410. `permanent`: a retry would fail in the same way. `transient`: anything else.
 */
export function classifyResponse({
  ok,
  permanent,
  responseCode,
}: Pick<DeliveryOutcome, 'ok' | 'permanent' | 'responseCode'>): ResponseClass {
  if (ok) return 'succeeded';
  if (responseCode === 410) return 'gone';
  if (permanent === true) return responseCode === null ? 'unsendable' : 'permanent';
  return 'transient';
}

/** Retry schedule, clock and random source of a decision. */
export interface RetryContext {
  /** Waits between attempts in milliseconds; the first attempt is made immediately and has no entry. */
  schedule: readonly number[];
  /** Start of the destination's uninterrupted failures; null when the last attempt succeeded. */
  failingSince: Date | null;
  now: Date;
  /** Returns a number in [0, 1). */
  random: () => number;
}

/**
 * Wait in milliseconds before the attempt that follows `attemptNo` (from 1), or null when the schedule is exhausted. It
 * is at least as long as the schedule and the receiver's `Retry-After` require, plus at most 20%.
 */
export function nextAttempt(
  attemptNo: number,
  outcome: Pick<DeliveryOutcome, 'responseCode' | 'retryAfterMs'>,
  { schedule, random }: Pick<RetryContext, 'schedule' | 'random'>,
): number | null {
  const scheduled = schedule[attemptNo - 1];
  if (scheduled === undefined) return null;
  return Math.round(Math.max(scheduled, retryAfterOf(outcome)) * (1 + JITTER * random()));
}

/** `Retry-After` is defined only for 429 and 503 (RFC 6585, 4; RFC 9110, 10.2.3). */
function retryAfterOf({
  responseCode,
  retryAfterMs,
}: Pick<DeliveryOutcome, 'responseCode' | 'retryAfterMs'>): number {
  const isBusy = responseCode === 429 || responseCode === 503;
  return isBusy ? Math.min(retryAfterMs ?? 0, MAX_STATED_DELAY_MS) : 0;
}

/** Identifies a delivery and its position in the retry schedule. */
export interface AttemptedDelivery {
  destination: Destination;
  deliveryId: string;
  /** Attempts already made in the current round of the schedule. */
  schedulePosition: number;
}

/** The decision after an attempt that started at `at`. */
export function decide(
  delivery: AttemptedDelivery,
  outcome: DeliveryOutcome,
  at: Date,
  context: RetryContext,
): DeliveryDecision {
  const responseClass = classifyResponse(outcome);
  if (responseClass === 'unsendable')
    return undeliverable(delivery, outcome.error ?? 'Nothing could be sent');
  const { destination, deliveryId, schedulePosition } = delivery;
  const attempted = {
    destination,
    deliveryId,
    retryInMs: null,
    attempt: {
      at,
      succeeded: outcome.ok,
      responseCode: outcome.responseCode,
      durationMs: outcome.durationMs,
      ...(outcome.isPartial === true && { isPartial: true }),
    },
    error: outcome.ok ? null : (outcome.error ?? 'The attempt failed'),
    ...(outcome.remaining && { remaining: outcome.remaining }),
    disableReason: null,
  };
  if (responseClass === 'succeeded') return { ...attempted, status: 'delivered' };
  const disableReason = outcome.isPartial === true ? null : disableReasonOf(responseClass, context);
  if (disableReason !== null) return { ...attempted, status: 'failed', disableReason };
  if (responseClass === 'permanent') return { ...attempted, status: 'failed' };
  const retryInMs = nextAttempt(schedulePosition + 1, outcome, context);
  return retryInMs === null
    ? { ...attempted, status: 'failed' }
    : { ...attempted, status: 'pending', retryInMs };
}

/** The decision for a delivery that is not sent; it counts neither as an attempt nor as a failure. */
export function undeliverable(
  { destination, deliveryId }: Pick<AttemptedDelivery, 'destination' | 'deliveryId'>,
  reason: string,
): DeliveryDecision {
  return {
    destination,
    deliveryId,
    status: 'undeliverable',
    retryInMs: null,
    attempt: null,
    error: reason,
    disableReason: null,
  };
}

function disableReasonOf(
  responseClass: ResponseClass,
  { failingSince, now }: Pick<RetryContext, 'failingSince' | 'now'>,
): string | null {
  if (responseClass === 'gone') return 'The receiver responded with 410 Gone';
  return failingSince !== null && now.getTime() - failingSince.getTime() >= DISABLE_AFTER_MS
    ? 'Every delivery has failed for five days'
    : null;
}
