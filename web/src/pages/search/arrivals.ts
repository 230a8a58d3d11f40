/** Arrivals that are kept; of more, only the latest. */
export const MOST_ARRIVALS = 1_000;

/** A result that was stored while its search was open. */
export interface Arrival {
  id: string;
  /** When the page learned of it, in milliseconds of the page's clock. */
  at: number;
}

/** The list that is shown: when its first page was requested, and the ids in it. */
export interface ListRead {
  requestedAt: number;
  ids: readonly string[];
}

/** Adds arrivals to earlier ones; each id counts once. */
export function addArrivals(before: readonly Arrival[], more: readonly Arrival[]): readonly Arrival[] {
  const known = new Map([...before, ...more].map((arrival) => [arrival.id, arrival]));
  return [...known.values()].slice(-MOST_ARRIVALS);
}

/** How many results arrived after the list was requested and are not in it. */
export function countNew(arrived: readonly Arrival[], { requestedAt, ids }: ListRead): number {
  const shown = new Set(ids);
  return arrived.filter(({ id, at }) => at >= requestedAt && !shown.has(id)).length;
}
