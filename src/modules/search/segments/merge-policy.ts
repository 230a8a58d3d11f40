import { SEGMENT_ROWS } from './bitmap.js';

/** Segments of so few rows are merged with each other when there are this many. */
const TIERS = [
  { below: SEGMENT_ROWS / 8, segments: 8 },
  { below: SEGMENT_ROWS / 2, segments: 4 },
];

/** A segment with its rows that are not outdated. */
export interface Mergeable {
  id: string;
  current: number;
  /** Whether it has had outdated rows for long. */
  isStale: boolean;
}

/**
 * The segments that are rewritten together with `added` changed rows, smallest first: few enough that all fit into one
 * segment. Each row is rewritten about three times before it is in a full segment. A segment without current rows is
 * always among them, so that it is dropped.
 */
export function segmentsToMerge<Segment extends Mergeable>(
  segments: readonly Segment[],
  added: number,
): Segment[] {
  const ascending = [...segments].sort((a, b) => a.current - b.current);
  const chosen = ascending.filter(({ current }) => current === 0);
  let rows = added;
  for (const tier of TIERS) {
    const small = ascending.filter(({ current }) => current > 0 && current < tier.below);
    if (small.length < tier.segments) continue;
    for (const segment of small)
      if (!chosen.includes(segment) && rows + segment.current <= SEGMENT_ROWS) {
        chosen.push(segment);
        rows += segment.current;
      }
  }
  return chosen;
}

/** Stale segments that are rewritten together: at least one when there are any, and as many as fit into one segment. */
export function segmentsToRewrite<Segment extends Mergeable>(segments: readonly Segment[]): Segment[] {
  let rows = 0;
  return segments.filter(({ isStale, current }) => {
    if (!isStale || rows + current > SEGMENT_ROWS) return false;
    rows += current;
    return true;
  });
}
