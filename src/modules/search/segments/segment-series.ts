import {
  type BucketRow,
  type BucketStart,
  MAX_BUCKETS,
  selectBucketStarts,
  type SeriesRequest,
} from '../aggregates.js';
import type { SearchedTable } from '../searched-table.js';
import { type Bitmap, readBits, roomForRows } from './bitmap.js';
import { compareBytes } from './group-counts.js';
import type { Match } from './match.js';
import { emptyRange, extend, type Range } from './range.js';
import { keyOf, readRowsIn } from './term-postings.js';
import { keyColumn, valueColumns } from './segment-counts.js';
import type { SegmentSnapshot } from './segment-snapshot.js';
import type { Segment } from './segment.js';
import { fieldPrefix, splitKey } from './term-keys.js';

/** Microseconds of a slot: offsets of time zones are mostly multiples of a quarter of an hour. */
const SLOT = 900_000_000;
/** Slots that are looked up in a table at most, 28 years. */
const MAX_SLOTS = 1_000_000;
const ROWS = roomForRows();

type Table<Filter extends { q?: string }> = Pick<SearchedTable<Filter, string>, 'facets' | 'segments'>;

interface Dates {
  q?: string;
  created_after?: string;
  created_before?: string;
}

/** Counts and sums of sentiment by bucket. */
interface Sums {
  /** The first spelling in byte order; null without a split. */
  split: string | null;
  counts: Float64Array;
  sentiment: Float64Array;
}

/** Matching rows by bucket of time, empty buckets included, as `selectTimeSeries` counts them. */
export async function countByTime<Filter extends Dates>(
  snapshot: SegmentSnapshot<Filter>,
  { facets, segments }: Table<Filter>,
  filter: Filter,
  match: Match,
  series: SeriesRequest,
): Promise<BucketRow[]> {
  const { splitBy } = series;
  const columns = [
    `${segments.columns.created_utc!} AS created_utc`,
    'sentiment_score',
    ...(splitBy === null ? [] : [valueColumns(splitBy, facets[splitBy]!)]),
  ];
  const changed = await snapshot.changedRows<ChangedRow>(columns.join(', '), filter);
  const { starts, isTrimmed } = await bucketStarts(snapshot, filter, match, series, changed);
  // So many buckets are refused, whatever is in them.
  if (starts.length > MAX_BUCKETS) return starts.map(({ start }) => emptyBucket(start));
  const bucketOf = bucketFinder(starts.map(({ from }) => Number(from)));
  const sums = new Map<string, Sums>();
  const sumsOf = (key: string, split: string | null): Sums => {
    let one = sums.get(key);
    if (one === undefined) {
      one = { split, counts: new Float64Array(starts.length), sentiment: new Float64Array(starts.length) };
      sums.set(key, one);
    } else if (split !== one.split && split !== null && compareBytes(split, one.split!) < 0)
      one.split = split;
    return one;
  };
  const needs = {
    columns: ['created_utc', 'sentiment_score'],
    terms: splitBy === null ? [] : [{ key: fieldPrefix(splitBy), isWhole: false }],
  };
  await snapshot.eachSegment(match, needs, (segment, rows) => {
    const created = segment.column('created_utc');
    const sentiment = segment.column('sentiment_score');
    for (const { key, split, count } of splitsOf(segment, rows, splitBy, facets)) {
      if (count === 0) continue;
      const one = sumsOf(key, split);
      for (let index = 0; index < count; index += 1) {
        const row = ROWS[index]!;
        const bucket = bucketOf(created[row]!);
        one.counts[bucket]! += 1;
        one.sentiment[bucket]! += sentiment[row]!;
      }
    }
  });
  for (const row of changed) {
    const value = splitBy === null ? null : row[splitBy]!;
    const one = sumsOf(splitBy === null ? '' : (row[keyColumn(splitBy)] ?? value!), value);
    const bucket = bucketOf(Number(row.created_utc));
    one.counts[bucket]! += 1;
    one.sentiment[bucket]! += Number(row.sentiment_score);
  }
  const splits = [...sums.values()].sort((a, b) => compareBytes(a.split ?? '', b.split ?? ''));
  const buckets = starts.map(({ start }, bucket): BucketRow[] => {
    const filled = splits.filter(({ counts }) => counts[bucket]! > 0);
    return filled.map(({ split, counts, sentiment }) => ({
      start: new Date(Number(start) / 1_000),
      split,
      count: counts[bucket]!,
      sentimentSum: sentiment[bucket]!,
    }));
  });
  const isFilled = (rows: BucketRow[]): boolean => rows.length > 0;
  const first = isTrimmed && filter.created_after === undefined ? buckets.findIndex(isFilled) : 0;
  const last =
    isTrimmed && filter.created_before === undefined ? buckets.findLastIndex(isFilled) : buckets.length - 1;
  if (first < 0 || last < 0) return [];
  return buckets
    .slice(first, last + 1)
    .flatMap((rows, index) => (rows.length > 0 ? rows : [emptyBucket(starts[first + index]!.start)]));
}

interface ChangedRow extends Record<string, string> {
  created_utc: string;
  sentiment_score: string;
}

const emptyBucket = (start: string): BucketRow => ({
  start: new Date(Number(start) / 1_000),
  split: null,
  count: 0,
  sentimentSum: 0,
});

/** Buckets that a time series may have. */
interface Buckets {
  starts: BucketStart[];
  /** Whether empty ones may come before the first matching row and after the last, unless the filter has dates. */
  isTrimmed: boolean;
}

/**
 * The buckets between the filter's dates, or those of the rows. Which rows match takes as long to find out as counting them, so
 * without dates these are the buckets of all rows, unless they are too many. Where hours begin depends on the first of them.
 */
async function bucketStarts<Filter extends Dates>(
  snapshot: SegmentSnapshot<Filter>,
  filter: Filter,
  match: Match,
  series: SeriesRequest,
  changed: readonly ChangedRow[],
): Promise<Buckets> {
  const select = (range: Range): Promise<BucketStart[]> => {
    for (const { created_utc } of changed) extend(range, Number(created_utc));
    return snapshot.run<BucketStart>(
      selectBucketStarts(filter, series, range.lowest <= range.highest ? range : null),
    );
  };
  if (filter.created_after !== undefined && filter.created_before !== undefined)
    return { starts: await select(emptyRange()), isTrimmed: false };
  if (series.interval !== 'hour') {
    const starts = await select(await snapshot.rangeOf('created_utc'));
    if (starts.length <= MAX_BUCKETS) return { starts, isTrimmed: true };
  }
  const matching = emptyRange();
  await snapshot.eachSegment(match, { terms: [], columns: ['created_utc'] }, (segment, rows) => {
    const created = segment.column('created_utc');
    const count = readBits(rows, ROWS);
    for (let index = 0; index < count; index += 1) extend(matching, created[ROWS[index]!]!);
  });
  return { starts: await select(matching), isTrimmed: false };
}

interface Split {
  key: string;
  split: string | null;
  /** How many rows; {@link ROWS} contains them until the next split. */
  count: number;
}

/** The matching rows of a segment by value of the split. */
function* splitsOf<Filter extends { q?: string }>(
  segment: Segment,
  rows: Bitmap,
  splitBy: string | null,
  facets: Table<Filter>['facets'],
): Generator<Split> {
  if (splitBy === null) {
    yield { key: '', split: null, count: readBits(rows, ROWS) };
    return;
  }
  const prefix = fieldPrefix(splitBy);
  for (const postings of segment.terms(prefix)) {
    const { value, detail } = splitKey(prefix, keyOf(postings));
    const split = facets[splitBy]!.kind === 'name' ? detail : value;
    yield { key: value, split, count: readRowsIn(rows, postings, ROWS) };
  }
}

/** Finds the bucket of a time, which is not before the first one, given where each begins. */
function bucketFinder(starts: readonly number[]): (time: number) => number {
  if (starts.length === 0) return () => 0;
  const first = starts[0]!;
  const slots = Math.min(MAX_SLOTS, Math.floor((starts.at(-1)! - first) / SLOT) + 1);
  // The bucket in which each slot begins.
  const table = new Uint16Array(slots);
  for (let slot = 0, bucket = 0; slot < slots; slot += 1) {
    while (bucket + 1 < starts.length && starts[bucket + 1]! <= first + slot * SLOT) bucket += 1;
    table[slot] = bucket;
  }
  return (time) => {
    let bucket = table[Math.min(slots - 1, Math.floor((time - first) / SLOT))]!;
    while (bucket + 1 < starts.length && starts[bucket + 1]! <= time) bucket += 1;
    return bucket;
  };
}
