import { SEGMENT_ROWS } from '../format/bitmap.js';
import { type Mergeable, segmentsToMerge, segmentsToRewrite } from './merge-policy.js';

const segmentsOf = (...rows: number[]): Mergeable[] =>
  rows.map((current, at) => ({ id: String(at), current, isStale: true }));
const ids = (segments: Mergeable[]): string[] => segments.map(({ id }) => id);

describe('the segments that a build merges', () => {
  const SMALL = SEGMENT_ROWS / 8 - 1;

  it('are small ones once there are many, and always those without rows', () => {
    expect(ids(segmentsToMerge(segmentsOf(0, SMALL, SEGMENT_ROWS), 1))).toEqual(['0']);
    expect(segmentsToMerge(segmentsOf(...Array<number>(8).fill(SMALL)), 1)).toHaveLength(8);
  });

  it('have, with the added rows, no more rows than fit into one segment', () => {
    const segments = segmentsOf(...Array<number>(8).fill(SMALL));
    expect(segmentsToMerge(segments, SEGMENT_ROWS - 8 * SMALL)).toHaveLength(8);
    expect(segmentsToMerge(segments, SEGMENT_ROWS - 8 * SMALL + 1)).toHaveLength(7);
  });

  it('have no more rows than fit into one segment when they are stale', () => {
    const segments = segmentsOf(SEGMENT_ROWS - 10, 11, 10);
    expect(ids(segmentsToRewrite(segments))).toEqual(['0', '2']);
  });
});
