import { MAX_BUCKETS } from '../../search/search-request.js';
import { SpikeDetector, type SpikeOptions } from './spike-detector.js';

/** Lengths of the buckets in which spikes are found. */
export const SPIKE_INTERVALS = ['hour', 'day'] as const;
export type SpikeInterval = (typeof SPIKE_INTERVALS)[number];

const HOUR_MS = 3_600_000;
/** Length of a bucket in milliseconds; a day on which clocks change is an hour shorter or longer. */
export const SPIKE_BUCKET_MS: Record<SpikeInterval, number> = { hour: HOUR_MS, day: 24 * HOUR_MS };
/** Buckets of a day, as the detector counts them. */
export const BUCKETS_PER_DAY: Record<SpikeInterval, number> = { hour: 24, day: 1 };
/** Buckets before the requested period from which the detector learns: four weeks of hours, eight weeks of days. */
const HISTORY: Record<SpikeInterval, number> = { hour: 672, day: 56 };
/** Buckets that a series may have without the partial ones at both ends. */
const READ_BUCKETS = MAX_BUCKETS - 3;
/** A spike lasts while buckets are as rare as one in 100. */
const LASTING_SCORE = 2.33;

/** A closed or current bucket of a series; null when it has no value, as the mean of nothing. */
export interface SeriesBucket {
  start: Date;
  value: number | null;
}

/** A deviation from the expected values, from the bucket that raised the alarm on. */
export interface Spike {
  start: Date;
  /** Exclusive. */
  end: Date;
  /** Values of its buckets, without empty ones. */
  values: number[];
  /** Expected value of these buckets. */
  expected: number[];
  /** Score of its rarest bucket, as the detector gives it; negative below the expectation. */
  score: number;
}

/** The spikes of a series in chronological order. */
export function findSpikes(
  buckets: readonly SeriesBucket[],
  options: SpikeOptions,
  bucketMs: number,
): Spike[] {
  const detector = new SpikeDetector(options);
  const spikes: Spike[] = [];
  let current: Spike | null = null;
  buckets.forEach(({ start, value }, index) => {
    const { alarm, score, own, expected } = detector.observe(value);
    if (alarm) {
      current = { start, end: start, values: [], expected: [], score };
      spikes.push(current);
    } else if (current !== null && (value === null || own * Math.sign(current.score) < LASTING_SCORE)) {
      current = null;
    }
    if (current === null || value === null) return;
    current.end = buckets[index + 1]?.start ?? new Date(start.getTime() + bucketMs);
    current.values.push(value);
    current.expected.push(expected);
    if (Math.abs(score) > Math.abs(current.score)) current.score = score;
  });
  return spikes;
}

/** The requested period, and the times of the oldest and newest stored row. */
export interface SpikeRequestPeriod {
  interval: SpikeInterval;
  after: Date | null;
  before: Date | null;
  oldest: Date;
  newest: Date;
}

/**
 * The period that the detector reads: the requested one, or as much as a series can have before its end, with what
 * precedes it, from the oldest stored row on. Without the rows before the first scrape, which are missing rather than
 * few, the first scrape would be a spike.
 */
export function readPeriod({ interval, after, before, oldest, newest }: SpikeRequestPeriod): {
  from: Date;
  to: Date;
} {
  const bucketMs = SPIKE_BUCKET_MS[interval];
  const to = before?.getTime() ?? newest.getTime() + 1;
  const least = to - READ_BUCKETS * bucketMs;
  const wanted =
    after === null
      ? least
      : Math.min(after.getTime(), Math.max(least, after.getTime() - HISTORY[interval] * bucketMs));
  return { from: new Date(Math.max(wanted, oldest.getTime())), to: new Date(to) };
}

/** A keyword's count in a spike and in the period before it. */
interface ComparedCount {
  keyword: string;
  count: number;
  previousCount: number;
}

/**
 * The keywords that distinguish a spike of `rows` rows from the `previousRows` rows before it, by the log-likelihood
 * ratio of their counts; those that became rarer are left out.
 */
export function significantKeywords<Row extends ComparedCount>(
  keywords: readonly Row[],
  rows: number,
  previousRows: number,
  limit: number,
): Row[] {
  const likelihood = ({ count, previousCount }: ComparedCount): number => {
    const share = (count + previousCount) / (rows + previousRows);
    const term = (observed: number, all: number): number =>
      observed === 0 ? 0 : observed * Math.log(observed / (share * all));
    const ratio = 2 * (term(count, rows) + term(previousCount, previousRows));
    return count * previousRows >= previousCount * rows ? ratio : -1;
  };
  return keywords
    .map((row) => ({ row, value: likelihood(row) }))
    .filter(({ value }) => value >= 0)
    .sort(
      (a, b) => b.value - a.value || b.row.count - a.row.count || (a.row.keyword < b.row.keyword ? -1 : 1),
    )
    .slice(0, limit)
    .map(({ row }) => row);
}
