import type { FairShare } from '../../../common/fair-share.js';
import type { Destination } from '../destination.js';

/** Concurrent requests of one process to one destination. */
export const DESTINATION_CONCURRENCY = 16;
/** Fewest deliveries that one process claims ahead for one destination whose circuit is closed. */
export const MIN_CLAIMED = 2 * DESTINATION_CONCURRENCY;
/** Most deliveries that one process claims ahead for one destination. */
export const MAX_CLAIMED = 512;
/** Between these limits: as many as the destination answers in this time, in milliseconds. */
const CLAIM_AHEAD_MS = 1_000;
/** Failures in a row that open a destination's circuit: it then gets one half-open probe at a time, with pauses. */
export const CIRCUIT_OPEN_AFTER = 5;
/** Most deliveries that one process holds at a time. */
export const MAX_HELD = 2_048;
/** Most of them that are probes of open circuits. */
export const MAX_PROBES = 256;

/** A destination with deliveries that are due. */
export interface DueQueue extends Destination {
  /** Failed attempts since the last success. */
  failures: number;
}

/** How many deliveries to claim for one destination. */
export interface Allotment {
  queue: DueQueue;
  count: number;
  /** Earliest next claim for the destination, in milliseconds from now. */
  pauseMs: number;
}

/** Whether a destination with this many failures in a row gets probes only. */
export const isCircuitOpen = (failures: number): boolean => failures >= CIRCUIT_OPEN_AFTER;

/** Concurrency limit of a destination with this many failures in a row. */
export const concurrencyOf = (failures: number): number =>
  isCircuitOpen(failures) ? 1 : DESTINATION_CONCURRENCY;

/** How many deliveries to claim ahead for a destination that answers within `answerMs`; null: not measured yet. */
export function claimLimit(failures: number, answerMs: number | null): number {
  if (isCircuitOpen(failures)) return 1;
  if (answerMs === null) return MIN_CLAIMED;
  const inTime = Math.ceil((DESTINATION_CONCURRENCY * CLAIM_AHEAD_MS) / Math.max(1, answerMs));
  return Math.min(MAX_CLAIMED, Math.max(MIN_CLAIMED, inTime));
}

/** Places of this process, by workspace, and what it holds for a destination (0 and null when nothing). */
export interface SendCapacity {
  deliveries: FairShare;
  probes: FairShare;
  heldFor: (queue: DueQueue) => { held: number; answerMs: number | null };
}

/**
 * Divides free places among due destinations, in their order and within each workspace's share, and takes them. Probes
 * have shares of their own, so that failing destinations, however many, never take all places.
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
