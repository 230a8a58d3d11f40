import type { FairShare } from '../../common/fair-share.js';
import type { Destination } from './destination.js';

/** Maximum number of concurrent requests from one process to one destination. */
export const DESTINATION_CONCURRENCY = 16;
/** Minimum number of deliveries that one process claims ahead for one destination whose circuit is closed. */
export const MIN_CLAIMED = 2 * DESTINATION_CONCURRENCY;
/** Maximum number of deliveries that one process claims ahead for one destination. */
export const MAX_CLAIMED = 512;
/** Between these limits, as many are claimed as the destination answers in this time, in milliseconds. */
const CLAIM_AHEAD_MS = 1_000;
/**
 * Number of consecutive failures that open a destination's circuit. It then gets one half-open probe at a time, with
 * pauses.
 */
export const CIRCUIT_OPEN_AFTER = 5;
/** Maximum number of deliveries that one process holds at a time. */
export const MAX_HELD = 2_048;
/** How many of these may be probes of open circuits. */
export const MAX_PROBES = 256;

/** A destination with due deliveries. */
export interface DueQueue extends Destination {
  /** Failed attempts since the last success. */
  failures: number;
}

/** How many deliveries to claim for one destination. */
export interface Allotment {
  queue: DueQueue;
  count: number;
  /** Time until the earliest next claim for the destination, in milliseconds. */
  pauseMs: number;
}

/** Whether a destination with this many consecutive failures gets only probes. */
export const isCircuitOpen = (failures: number): boolean => failures >= CIRCUIT_OPEN_AFTER;

/** Concurrency limit of a destination with this many consecutive failures. */
export const concurrencyOf = (failures: number): number =>
  isCircuitOpen(failures) ? 1 : DESTINATION_CONCURRENCY;

/** How many deliveries to claim ahead for a destination that answers within `answerMs`; null means not measured yet. */
export function claimLimit(failures: number, answerMs: number | null): number {
  if (isCircuitOpen(failures)) return 1;
  if (answerMs === null) return MIN_CLAIMED;
  const inTime = Math.ceil((DESTINATION_CONCURRENCY * CLAIM_AHEAD_MS) / Math.max(1, answerMs));
  return Math.min(MAX_CLAIMED, Math.max(MIN_CLAIMED, inTime));
}

/** Slots of this process by workspace, and the deliveries it holds for each destination (0 and null when none). */
export interface SendCapacity {
  deliveries: FairShare;
  probes: FairShare;
  heldFor: (queue: DueQueue) => { held: number; answerMs: number | null };
}

/**
 * Allots free slots to due destinations, in their order and within each workspace's share, and reserves them. Probes
 * have separate shares, so that failing destinations never take all slots, however many there are.
 */
export function allot(
  queues: readonly DueQueue[],
  { deliveries, probes, heldFor }: SendCapacity,
  probePauseMs: number,
): Allotment[] {
  return queues.map((queue) => {
    const { workspaceId, failures } = queue;
    const isProbe = isCircuitOpen(failures);
    const own = heldFor(queue);
    const missing = claimLimit(failures, own.answerMs) - own.held;
    const available = Math.min(
      deliveries.available(workspaceId),
      isProbe ? probes.available(workspaceId) : MAX_CLAIMED,
    );
    const count = Math.max(0, Math.min(missing, available));
    deliveries.take(workspaceId, count);
    if (isProbe) probes.take(workspaceId, count);
    return { queue, count, pauseMs: isProbe ? probePauseMs : 0 };
  });
}
