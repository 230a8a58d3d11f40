import { type BucketRow, MAX_BUCKETS, type SeriesRequest } from '../../search-request.js';
import { type BucketStart, selectBucketStarts } from '../../sql/aggregates.js';
import type { SearchedTable } from '../../searched-table.js';
import { type Bitmap, readBits, roomForRows } from '../format/bitmap.js';
import { compareBytes } from './group-counts.js';
import type { Match } from './match.js';
import { segmentColumns } from '../format/segment-fields.js';
import { emptyRange, extend, type Range } from '../format/range.js';
import { keyOf, readRowsIn } from '../format/term-postings.js';
import { keyColumn, valueColumns } from './segment-counts.js';
import type { SegmentSnapshot } from './segment-snapshot.js';
import type { Segment } from './segment.js';
import { fieldPrefix, splitKey } from '../format/term-keys.js';
import { type BucketSums, TimeBuckets } from './time-buckets.js';

const ROWS = roomForRows();

/** Counts and sentiment sums by bucket. */
interface SplitSums extends BucketSums {
  /** The first spelling in byte order; null without a split. */
  split: string | null;
}

/** Matching rows by time bucket, empty buckets included, with the same counts as `selectTimeSeries`. */
export async function countByTime(
  snapshot: SegmentSnapshot,
  match: Match,
  series: SeriesRequest,
): Promise<BucketRow[]> {
  const { table, filter, splitBy } = series;
  const columns = [
    `${segmentColumns(table).created_utc!} AS created_utc`,
    'sentiment_score',
    ...(splitBy === null ? [] : [valueColumns(splitBy, table.fields[splitBy]!)]),
  ];
  const changed = await snapshot.changedRows<ChangedRow>(columns.join(', '), filter);
  const { starts, isTrimmed } = await bucketStarts(snapshot, match, series, changed);
  // This many buckets are refused whatever they contain.
  if (starts.length > MAX_BUCKETS) return starts.map(({ start }) => emptyBucket(start));
  const buckets = new TimeBuckets(starts.map(({ from }) => Number(from)));
  const splits = new Map<string, SplitSums>();
  const sumsOf = (key: string, split: string | null): SplitSums => {
    let one = splits.get(key);
    if (one === undefined) {
      one = { split, counts: new Float64Array(starts.length), sums: new Float64Array(starts.length) };
      splits.set(key, one);
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
    for (const { key, split, count } of splitsOf(segment, rows, splitBy, table.fields)) {
      if (count === 0) continue;
      buckets.addRows({ times: created, values: sentiment }, ROWS, count, sumsOf(key, split));
    }
  });
  for (const row of changed) {
    const value = splitBy === null ? null : row[splitBy]!;
    const one = sumsOf(splitBy === null ? '' : (row[keyColumn(splitBy)] ?? value!), value);
    const bucket = buckets.of(Number(row.created_utc));
    one.counts[bucket]! += 1;
    one.sums[bucket]! += Number(row.sentiment_score);
  }
  const sorted = [...splits.values()].sort((a, b) => compareBytes(a.split ?? '', b.split ?? ''));
  const all = starts.map(({ start }, bucket): BucketRow[] => {
    const filled = sorted.filter(({ counts }) => counts[bucket]! > 0);
    return filled.map(({ split, counts, sums }) => ({
      start: new Date(Number(start) / 1_000),
      split,
      count: counts[bucket]!,
      sentimentSum: sums[bucket]!,
    }));
  });
  const isFilled = (rows: BucketRow[]): boolean => rows.length > 0;
  const first = isTrimmed && filter.created_after === undefined ? all.findIndex(isFilled) : 0;
  const last =
    isTrimmed && filter.created_before === undefined ? all.findLastIndex(isFilled) : all.length - 1;
  if (first < 0 || last < 0) return [];
  return all
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

/** The buckets that a time series may have. */
interface Buckets {
  starts: BucketStart[];
  /**
   * Whether empty buckets before the first and after the last matching row are removed, where the filter has no date.
   */
  isTrimmed: boolean;
}

/**
 * The buckets between the filter's dates, or those of the rows. Finding out which rows match takes as long as counting
 * them, so without dates these are the buckets of all rows, unless there are too many. Where hours begin depends on the
 * first bucket.
 */
async function bucketStarts(
  snapshot: SegmentSnapshot,
  match: Match,
  series: SeriesRequest,
  changed: readonly ChangedRow[],
): Promise<Buckets> {
  const select = (range: Range): Promise<BucketStart[]> => {
    for (const { created_utc } of changed) extend(range, Number(created_utc));
    return snapshot.run<BucketStart>(
      selectBucketStarts(series, range.lowest <= range.highest ? range : null),
    );
  };
  const { created_after, created_before } = series.filter;
  if (created_after !== undefined && created_before !== undefined)
    return { starts: await select(emptyRange()), isTrimmed: false };
  if (series.interval !== 'hour') {
    const starts = await select(await snapshot.rangeOf('created_utc'));
    if (starts.length <= MAX_BUCKETS) return { starts, isTrimmed: true };
  }
  const matching = emptyRange();
  await snapshot.eachSegment(match, { columns: ['created_utc'] }, (segment, rows) => {
    const created = segment.column('created_utc');
    const count = readBits(rows, ROWS);
    for (let index = 0; index < count; index += 1) extend(matching, created[ROWS[index]!]!);
  });
  return { starts: await select(matching), isTrimmed: false };
}

interface Split {
  key: string;
  split: string | null;
  /** The number of rows; {@link ROWS} contains them until the next split. */
  count: number;
}

/** The matching rows of a segment by value of the split. */
function* splitsOf(
  segment: Segment,
  rows: Bitmap,
  splitBy: string | null,
  fields: SearchedTable['fields'],
): Generator<Split> {
  if (splitBy === null) {
    yield { key: '', split: null, count: readBits(rows, ROWS) };
    return;
  }
  const prefix = fieldPrefix(splitBy);
  for (const postings of segment.terms(prefix)) {
    const { value, detail } = splitKey(prefix, keyOf(postings));
    const split = fields[splitBy]!.type === 'name' ? detail : value;
    yield { key: value, split, count: readRowsIn(rows, postings, ROWS) };
  }
}
