import type { SearchFilter } from '../../search-request.js';
import type { FoundRows } from '../../sql/found-rows.js';
import { BestRows } from './best-rows.js';
import { type Bitmap, countBits, readBits, roomForRows } from '../format/bitmap.js';
import type { Match } from './match.js';
import type { Range } from '../format/range.js';
import type { Directory } from '../format/segment-blocks.js';
import type { Needs, Segment } from './segment.js';
import type { SegmentSnapshot } from './segment-snapshot.js';

/** Which part of an order by a segment column is read. */
export interface SortedRange {
  column: string;
  isDescending: boolean;
  /** Only rows with this value or after it; null for the start. */
  from: number | null;
  /** Maximum number of rows, not counting those with the value `from`. */
  limit: number;
}

/** Number of rows kept per segment beyond the limit, so that rows with equal values at its end are complete. */
const SPARE_ROWS = 200;
/** Sorting as many takes a statement 3 ms; the rows themselves are read for a page only. */
const MOST_ROWS = 5_000;
const ROWS = roomForRows();

/**
 * The first matching rows in order, and how many rows match in all. Rows with equal values are either all
 * included or all left out, because the statement that reads them decides their order; `found` is null when there are too
 * many of them.
 * `expression` is the column in SQL.
 */
export async function firstRows(
  snapshot: SegmentSnapshot,
  filter: SearchFilter,
  match: Match,
  expression: string,
  { column, isDescending, from, limit }: SortedRange,
): Promise<{ found: FoundRows | null; total: number }> {
  const sign = isDescending ? -1 : 1;
  const isBefore = (value: number, other: number): boolean => (value - other) * sign < 0;
  let first: { id: string; value: number }[] = [];
  let total = 0;
  /** The value of the last row so far; rows after it are not among the first. */
  let last = Infinity * sign;
  /** The values between the one from which the page begins and the last one so far. */
  const wanted = (): Range => {
    const start = from ?? -Infinity * sign;
    return isDescending ? { lowest: last, highest: start } : { lowest: start, highest: last };
  };
  /** Number of rows with which they are sorted again: rows with equal values may be many. */
  let sortAt = limit;
  const keepFirst = (): void => {
    first.sort((a, b) => (a.value - b.value) * sign);
    const atStart = first.filter(({ value }) => value === from).length;
    last = first[atStart + limit - 1]?.value ?? last;
    first = first.filter(({ value }) => !isBefore(last, value));
    sortAt = first.length + limit + SPARE_ROWS;
  };
  /** From this value on, rows with equal values may be incomplete. */
  let incompleteFrom = Infinity * sign;
  const isWanted = (range: Range): boolean => {
    const { lowest, highest } = wanted();
    return range.lowest <= highest && range.highest >= lowest;
  };
  // Once the first segments have the wanted rows, others are only counted.
  const needsOf = ({ ranges }: Directory): Partial<Needs> =>
    isWanted(ranges[column]!) ? { columns: [column], ids: true } : {};
  const visit = (segment: Segment, rows: Bitmap): void => {
    total += countBits(rows);
    if (!isWanted(segment.rangeOf(column))) return;
    const count = readBits(rows, ROWS);
    const { lowest, highest } = wanted();
    const values = segment.column(column);
    const best = new BestRows(limit + SPARE_ROWS, isDescending);
    // Ids mostly grow with time, so that in this order most rows come after those that are kept.
    for (let index = 0; index < count; index += 1) {
      const row = ROWS[isDescending ? count - 1 - index : index]!;
      const value = values[row]!;
      if (value >= lowest && value <= highest) best.add(row, value);
    }
    const kept = best.rows();
    for (const { row, score } of kept) first.push({ id: segment.idOf(row), value: score });
    const lastKept = kept[0];
    if (kept.length === limit + SPARE_ROWS && isBefore(lastKept!.score, incompleteFrom))
      incompleteFrom = lastKept!.score;
    if (first.length >= sortAt) keepFirst();
  };
  await snapshot.eachSegment(match, needsOf, visit, { column, isDescending });
  const columns = `id::text AS id, (${expression})::float8 AS value`;
  const changed = await snapshot.changedRows<{ id: string; value: number }>(columns, filter);
  total += changed.length;
  const { lowest, highest } = wanted();
  first.push(...changed.filter(({ value }) => value >= lowest && value <= highest));
  keepFirst();
  const isComplete = isBefore(last, incompleteFrom) || incompleteFrom === Infinity * sign;
  if (!isComplete || first.length > MOST_ROWS) return { found: null, total };
  return { found: { ids: first.map(({ id }) => id), values: first.map(({ value }) => value) }, total };
}
