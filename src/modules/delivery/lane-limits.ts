import type { DueLane } from './destination.js';

/** Requests that one process has under way to one destination. */
export const LANE_CONCURRENCY = 16;
/** Deliveries of one destination that one process holds, waiting ones included. */
export const LANE_HOLD = 48;
/** From here on more is claimed. */
export const LANE_REFILL = 24;
/** Failures in a row after which a destination is only probed: one request at a time, with a pause in between. */
export const SUSPECT_AFTER = 5;
/** Deliveries that one process holds altogether. */
export const MAX_HELD = 512;
/** Of these, probes of suspect destinations. */
export const MAX_PROBES = 128;

export interface LaneRoom {
  lane: DueLane;
  /** How many deliveries to claim. */
  room: number;
  /** The destination is left alone for this long. */
  pauseMs: number;
}

export const isSuspect = (failures: number): boolean => failures >= SUSPECT_AFTER;
export const concurrencyOf = (failures: number): number => (isSuspect(failures) ? 1 : LANE_CONCURRENCY);

/**
 * How many deliveries to claim of each due destination, given what this process holds already. Probes have a share of
 * their own, so that dead destinations, however many, leave room for those that answer.
 */
export function shareRoom(
  lanes: readonly DueLane[],
  held: { total: number; probes: number; ofLane: (lane: DueLane) => number },
  probePauseMs: number,
): LaneRoom[] {
  let free = MAX_HELD - held.total;
  let probes = MAX_PROBES - held.probes;
  return lanes.map((lane) => {
    const suspect = isSuspect(lane.failures);
    const wanted = suspect ? Math.min(1, probes) : LANE_HOLD;
    const room = Math.max(0, Math.min(wanted - held.ofLane(lane), free));
    free -= room;
    if (suspect) probes -= room;
    return { lane, room, pauseMs: suspect ? probePauseMs : 0 };
  });
}
