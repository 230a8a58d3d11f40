import { SEGMENT_ROWS } from '../format/bitmap.js';

/** Segments with fewer than `below` rows are merged with each other once there are `segments` of them. */
const TIERS = [
  { below: SEGMENT_ROWS / 8, segments: 8 },
  { below: SEGMENT_ROWS / 2, segments: 4 },
];

/** A segment and the number of its current rows. */
export interface Mergeable {
  id: string;
  current: number;
  /** Whether the text of a row must leave it. */
  isStale: boolean;
}

/**
 * The segments that are rewritten together with `added` changed rows, smallest first: only as many as fit into one
 * segment. Each row is rewritten about three times before it is in a full segment. Segments without current rows are
 * always included, so that they are deleted.
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

/** Stale segments that are rewritten together: as many as fit into one segment, but at least one when there are any. */
export function segmentsToRewrite<Segment extends Mergeable>(segments: readonly Segment[]): Segment[] {
  let rows = 0;
  return segments.filter(({ isStale, current }) => {
    if (!isStale || rows + current > SEGMENT_ROWS) return false;
    rows += current;
    return true;
  });
}
