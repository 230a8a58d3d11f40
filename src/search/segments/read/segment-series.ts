import {
  type BucketRow,
  MAX_BUCKETS,
  mostSplitValues,
  OTHER_VALUES,
  type SeriesRequest,
} from '../../search-request.js';
import { type BucketStart, selectBucketStarts } from '../../sql/aggregates.js';
import { readBits, roomForRows } from '../format/bitmap.js';
import { compareBytes, type ValueCount } from './group-counts.js';
import type { Match } from './match.js';
import { segmentColumns } from '../format/segment-fields.js';
import { emptyRange, extend, type Range } from '../format/range.js';
import { readRowsIn } from '../format/term-postings.js';
import { countByValue, keyColumn, valueColumns } from './segment-counts.js';
import type { SegmentSnapshot } from './segment-snapshot.js';
import type { Segment } from './segment.js';
import { fieldPrefix, type KnownValues, valuePrefix } from '../format/term-keys.js';
import { type BucketSums, TimeBuckets } from './time-buckets.js';

const ROWS = roomForRows();

/**
 * Matching rows by time bucket, empty buckets included, with the same counts as `selectTimeSeries`. The values of a split
 * with the most rows are counted first, then their buckets, so that memory does not grow with the number of values.
 */
export async function countByTime(
  snapshot: SegmentSnapshot,
  match: Match,
  series: SeriesRequest,
  known: KnownValues,
): Promise<BucketRow[]> {
  const { table, workspaceId, filter, splitBy } = series;
  const columns = [
    `${segmentColumns(table).created_utc!} AS created_utc`,
    'sentiment_score',
    ...(splitBy === null ? [] : [valueColumns(splitBy, table.fields[splitBy]!)]),
  ];
  const changed = await snapshot.changedRows<ChangedRow>(columns.join(', '), filter);
  const found = await bucketStarts(snapshot, match, series, changed);
  // This many buckets are refused whatever they contain.
  if (found.starts.length > MAX_BUCKETS) return found.starts.map(({ start }) => emptyBucket(start));
  const buckets = new TimeBuckets(found.starts.map(({ start }) => Number(start)));
  const all = emptySums(found.starts.length);
  await snapshot.eachSegment(match, { columns: COLUMNS }, (segment, rows) => {
    buckets.addRows(columnsOf(segment), ROWS, readBits(rows, ROWS), all);
  });
  for (const row of changed) addRow(row, buckets, all);
  const isFilled = (count: number): boolean => count > 0;
  const first = found.isTrimmed && filter.created_after === undefined ? all.counts.findIndex(isFilled) : 0;
  const last =
    found.isTrimmed && filter.created_before === undefined
      ? all.counts.findLastIndex(isFilled)
      : found.starts.length - 1;
  if (first < 0 || last < 0) return [];
  let splits = [{ split: null as string | null, sums: all }];
  if (splitBy !== null) {
    const numbers = known.of(workspaceId, [splitBy]);
    const { counts } = await countByValue(snapshot, table.fields, filter, match, numbers);
    known.keep(workspaceId, numbers);
    const most = mostSplitValues(last - first + 1);
    const values = await counts.get(splitBy)!.top(most, snapshot.turn());
    splits = await sumsByValue(snapshot, match, series, changed, { buckets, all, values });
  }
  const starts = found.starts.slice(first, last + 1);
  return starts.flatMap(({ start }, index) => bucketRows(start, splits, first + index));
}

/** The columns that a series reads. */
const COLUMNS = ['created_utc', 'sentiment_score'];
const columnsOf = (segment: Segment) => ({
  times: segment.column('created_utc'),
  values: segment.column('sentiment_score'),
});

const emptySums = (buckets: number): BucketSums => ({
  counts: new Float64Array(buckets),
  sums: new Float64Array(buckets),
});

function addRow(row: ChangedRow, buckets: TimeBuckets, { counts, sums }: BucketSums): void {
  const bucket = buckets.of(Number(row.created_utc));
  counts[bucket]! += 1;
  sums[bucket]! += Number(row.sentiment_score);
}

/** Counts and sentiment sums of a value; those of all others have the name {@link OTHER_VALUES}. */
interface SplitSums {
  split: string | null;
  sums: BucketSums;
}

/** The sums of each of the `values`, in byte order, and of all other values together. */
async function sumsByValue(
  snapshot: SegmentSnapshot,
  match: Match,
  { splitBy }: SeriesRequest,
  changed: readonly ChangedRow[],
  { buckets, all, values }: { buckets: TimeBuckets; all: BucketSums; values: readonly ValueCount[] },
): Promise<SplitSums[]> {
  const field = splitBy!;
  const turn = snapshot.turn();
  const sums = new Map(values.map(({ key }) => [key, emptySums(all.counts.length)]));
  const needs = { columns: COLUMNS, terms: [{ key: fieldPrefix(field), isWhole: false }] };
  await snapshot.eachSegment(match, needs, async (segment, matching) => {
    const rows = matching.slice();
    for (const [key, one] of sums) {
      for (const postings of segment.terms(valuePrefix(field, key)))
        buckets.addRows(columnsOf(segment), ROWS, readRowsIn(rows, postings, ROWS), one);
      if (turn.isOver) await turn.next();
    }
  });
  for (const row of changed) {
    const one = sums.get(row[keyColumn(field)] ?? row[field]!);
    if (one !== undefined) addRow(row, buckets, one);
  }
  const splits = values.map(({ key, value }): SplitSums => ({ split: value, sums: sums.get(key)! }));
  const rest = emptySums(all.counts.length);
  for (let bucket = 0; bucket < rest.counts.length; bucket += 1) {
    rest.counts[bucket] = splits.reduce((left, one) => left - one.sums.counts[bucket]!, all.counts[bucket]!);
    rest.sums[bucket] = splits.reduce((left, one) => left - one.sums.sums[bucket]!, all.sums[bucket]!);
    if (bucket % BUCKETS_PER_LOOK === 0 && turn.isOver) await turn.next();
  }
  splits.push({ split: OTHER_VALUES, sums: rest });
  return splits.sort((a, b) => compareBytes(a.split!, b.split!));
}

/** Number of buckets between two looks at the time. */
const BUCKETS_PER_LOOK = 16;

/** The rows of a bucket: one for each value that it has, or an empty one. */
function bucketRows(start: string, splits: readonly SplitSums[], bucket: number): BucketRow[] {
  const empty = emptyBucket(start);
  const filled = splits.filter(({ sums }) => sums.counts[bucket]! > 0);
  if (filled.length === 0) return [empty];
  return filled.map(({ split, sums }) => ({
    start: empty.start,
    split,
    count: sums.counts[bucket]!,
    sentimentSum: sums.sums[bucket]!,
  }));
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
