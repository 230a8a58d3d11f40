const MAX_EVENTS = 200;
const MAX_DELIVERIES = 1_000;
const MIN_DELIVERIES = 50;

/** The shrink level at which a transaction of the relay contains one event. */
export const LAST_SHRINK_LEVEL = 4;

/** Numbers of events and deliveries of one transaction; each shrink level divides them by four. */
export function relayLimits(level: number): { events: number; deliveries: number } {
  const shrunk = (limit: number): number => Math.max(1, Math.floor(limit / 4 ** level));
  return { events: shrunk(MAX_EVENTS), deliveries: Math.max(MIN_DELIVERIES, shrunk(MAX_DELIVERIES)) };
}
