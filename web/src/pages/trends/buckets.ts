import { type Bucket, dayOf, midnight, startOfDay } from '../../format.ts';
import type { Line } from './trend-lines.ts';

const HOUR_MS = 3_600_000;
/** Buckets of a chart; of more than about as many, the service counts the newest. */
const MOST_BUCKETS = 2_000;
const CUT_BUCKETS = 1_990;
/** The longest that a bucket of each kind is, in hours. */
const LONGEST = { hour: 1, day: 25, week: 169, month: 745 } as const;

/** When a bucket ends that begins at a time, both in milliseconds, in the reader's calendar. */
export function endOf(start: number, interval: Bucket): number {
  const time = new Date(start);
  if (interval === 'hour') return start + HOUR_MS;
  if (interval === 'day') return midnight(time, 1).getTime();
  if (interval === 'week') return midnight(time, 7).getTime();
  // 31 days after the first of a month are always in the next one.
  return Date.parse(startOfDay(`${dayOf(midnight(time, 31)).slice(0, -2)}01`, 0));
}

/**
 * Where the buckets of all lines begin, in order and without gaps, and at last where the last one ends; empty without
 * buckets. Where a line has so many that the service left older ones out, those of other lines are left out too. In
 * milliseconds.
 */
export function bordersOf(lines: readonly Pick<Line, 'buckets'>[], interval: Bucket): number[] {
  const startsOf = lines.map(({ buckets }) => buckets.map(({ start }) => Date.parse(start)));
  const all = [...new Set(startsOf.flat())].sort((one, other) => one - other);
  const first = Math.max(
    (all.at(-1) ?? 0) - MOST_BUCKETS * LONGEST[interval] * HOUR_MS,
    ...startsOf.filter(({ length }) => length >= CUT_BUCKETS).map(([start]) => start!),
  );
  const borders: number[] = [];
  for (const start of all.filter((time) => time >= first)) {
    // Lines of all time begin and end with what they find, so that there may be nothing between two of them.
    while (borders.length > 0 && borders.at(-1)! < start) borders.push(endOf(borders.at(-1)!, interval));
    borders[Math.max(0, borders.length - 1)] = start;
  }
  return borders.length === 0 ? [] : [...borders, endOf(borders.at(-1)!, interval)];
}

/** The period in which texts are counted; all time without limits. */
export interface Counted {
  created_after?: string;
  created_before?: string;
}

/** Why a bucket counts less than all of its texts: it is not over, or it began before the period. */
export type Gap = 'unfinished' | 'begun';

/** For each bucket why it is not whole; null for whole ones. */
export function gapsOf(
  borders: readonly number[],
  { created_after, created_before }: Counted,
  now: number,
): (Gap | null)[] {
  const from = created_after === undefined ? -Infinity : Date.parse(created_after);
  const to = Math.min(now, created_before === undefined ? Infinity : Date.parse(created_before));
  return borders
    .slice(0, -1)
    .map((start, index) => (borders[index + 1]! > to ? 'unfinished' : start < from ? 'begun' : null));
}

/** The bucket that a time falls into; -1 outside of all. */
export const bucketAt = (borders: readonly number[], time: number): number =>
  time < borders.at(-1)! ? borders.findLastIndex((border) => border <= time) : -1;
