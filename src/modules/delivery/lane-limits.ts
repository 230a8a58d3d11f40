import type { DueLane } from './destination.js';

/** Requests that one process has under way to one destination. */
export const LANE_CONCURRENCY = 16;
/** Deliveries of one destination that one process holds, waiting ones included: about what it can take in a second. */
export const MIN_HOLD = 2 * LANE_CONCURRENCY;
export const MAX_HOLD = 512;
const HOLD_MS = 1_000;
/** Failures in a row after which a destination is only probed: one request at a time, with a pause in between. */
export const SUSPECT_AFTER = 5;
/** Deliveries that one process holds altogether. */
export const MAX_HELD = 2_048;
/** Of these, probes of suspect destinations. */
export const MAX_PROBES = 256;

export interface LaneRoom {
  lane: DueLane;
  /** How many deliveries to claim. */
  room: number;
  /** The destination is left alone for this long. */
  pauseMs: number;
}

export const isSuspect = (failures: number): boolean => failures >= SUSPECT_AFTER;
export const concurrencyOf = (failures: number): number => (isSuspect(failures) ? 1 : LANE_CONCURRENCY);

/** How many deliveries to hold of a destination that answers within `answerMs`; null: not known yet. */
export function holdOf(failures: number, answerMs: number | null): number {
  if (isSuspect(failures)) return 1;
  if (answerMs === null) return MIN_HOLD;
  const inTime = Math.ceil((LANE_CONCURRENCY * HOLD_MS) / Math.max(1, answerMs));
  return Math.min(MAX_HOLD, Math.max(MIN_HOLD, inTime));
}

/**
 * How many deliveries to claim of each due destination, given what this process holds already. Probes have a share of
 * their own, so that dead destinations, however many, leave room for those that answer.
 */
export function shareRoom(
  lanes: readonly DueLane[],
  held: {
    total: number;
    probes: number;
    /** Of a destination that nothing is held of: 0 and null. */
    ofLane: (lane: DueLane) => { held: number; answerMs: number | null };
  },
  probePauseMs: number,
): LaneRoom[] {
  let free = MAX_HELD - held.total;
  let probes = MAX_PROBES - held.probes;
  return lanes.map((lane) => {
    const suspect = isSuspect(lane.failures);
    const own = held.ofLane(lane);
    const wanted = Math.min(holdOf(lane.failures, own.answerMs), suspect ? probes : MAX_HOLD);
    const room = Math.max(0, Math.min(wanted - own.held, free));
    free -= room;
    if (suspect) probes -= room;
    return { lane, room, pauseMs: suspect ? probePauseMs : 0 };
  });
}
