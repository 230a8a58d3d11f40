import { type Bitmap, emptyBitmap, fill } from '../format/bitmap.js';
import { rangeOf } from '../format/range.js';
import { firstRows, type SortedRange } from './segment-sorting.js';
import type { Directory } from '../format/segment-blocks.js';
import type { Segment } from './segment.js';
import type { SegmentSnapshot } from './segment-snapshot.js';

/** Segments of rows with these values, all of which match; ids are numbered consecutively. */
function snapshotOf(segments: number[][], changed: { id: string; value: number }[] = []) {
  let first = 0;
  const all = segments.map((values) => {
    const start = first;
    first += values.length;
    const segment: Pick<Segment, 'column' | 'rangeOf' | 'idOf'> = {
      column: () => Float64Array.from(values),
      rangeOf: () => rangeOf(values),
      idOf: (row) => String(start + row),
    };
    return { segment: segment as Segment, rows: fill(emptyBitmap(), values.length) };
  });
  return {
    eachSegment: async (_match, _needs, visit) => {
      for (const { segment, rows } of all) await visit(segment, rows);
    },
    changedRows: () => Promise.resolve(changed),
  } as Pick<SegmentSnapshot, 'eachSegment' | 'changedRows'> as SegmentSnapshot;
}

/** Ids are sorted as text, since the order of rows with equal values is undefined. */
async function find(snapshot: SegmentSnapshot, range: Partial<SortedRange>) {
  const { found, total } = await firstRows(snapshot, {}, { kind: 'all' }, 'score', {
    column: 'score',
    isDescending: false,
    from: null,
    limit: 2,
    ...range,
  });
  return found && { ids: [...found.ids].sort(), total };
}
const equal = (rows: number): number[] => new Array<number>(rows).fill(7);

describe('the first rows by a column', () => {
  it('are not read from segments with later values only', async () => {
    const needed: unknown[] = [];
    const snapshot = snapshotOf([[1, 2], [3]]);
    const { eachSegment } = snapshot;
    snapshot.eachSegment = (match, needs, visit, order) => {
      const visitNeeding = (segment: Segment, rows: Bitmap): void | Promise<void> => {
        const directory = { ranges: { score: segment.rangeOf('score') } } as unknown as Directory;
        needed.push((needs as (directory: Directory) => unknown)(directory));
        return visit(segment, rows);
      };
      return eachSegment(match, needs, visitNeeding, order);
    };
    expect(await find(snapshot, {})).toEqual({ ids: ['0', '1'], total: 3 });
    expect(needed).toEqual([{ columns: ['score'], ids: true }, {}]);
  });

  it('are those with the lowest values, or the highest', async () => {
    const snapshot = snapshotOf(
      [
        [5, 1, 9],
        [4, 8],
      ],
      [{ id: 'changed', value: 2 }],
    );
    expect(await find(snapshot, {})).toEqual({ ids: ['1', 'changed'], total: 6 });
    expect(await find(snapshot, { isDescending: true })).toEqual({ ids: ['2', '4'], total: 6 });
  });

  it('continue at a value and include all rows with it', async () => {
    const snapshot = snapshotOf(
      [
        [5, 1, 5],
        [4, 8, 6],
      ],
      [{ id: 'changed', value: 5 }],
    );
    expect(await find(snapshot, { from: 5 })).toEqual({ ids: ['0', '2', '4', '5', 'changed'], total: 7 });
    expect(await find(snapshot, { from: 5, isDescending: true })).toEqual({
      ids: ['0', '1', '2', '3', 'changed'],
      total: 7,
    });
  });

  it('contain either all rows with a value or none', async () => {
    expect((await find(snapshotOf([[1, ...equal(100), 9]]), {}))!.ids).toHaveLength(101);
  });

  it('are unknown when more rows of a segment share a value than are kept', async () => {
    expect(await find(snapshotOf([equal(400)]), {})).toBeNull();
    expect(await find(snapshotOf([[1, 2, ...equal(400)]]), {})).toEqual({ ids: ['0', '1'], total: 402 });
  });

  it('come with their values', async () => {
    const range = { column: 'score', isDescending: true, from: 5, limit: 1 };
    const { found } = await firstRows(snapshotOf([[5, 1, 9]]), {}, { kind: 'all' }, 'score', range);
    const { ids, values } = found!;
    expect(Object.fromEntries(ids.map((id, index) => [id, values[index]]))).toEqual({ 0: 5, 1: 1 });
  });

  it('are unknown when a statement would have to sort more than five thousand', async () => {
    const segments = (count: number): number[][] => Array.from({ length: count }, () => equal(200));
    expect((await find(snapshotOf(segments(25)), {}))!.ids).toHaveLength(5_000);
    expect(await find(snapshotOf(segments(26)), {})).toBeNull();
  });
});
