import type { Tone } from '../../components/chart.tsx';
import type { Bucket } from '../../format.ts';
import { bordersOf, type Counted, type Gap, gapsOf } from './buckets.ts';
import { shareOf } from './share.ts';
import type { Line } from './trend-lines.ts';
import { MOST_QUERIES, type Measure } from './trends-state.ts';

export type Values = readonly (number | null)[];

/** A line as it is drawn: its value in each bucket, for shares with the ends of their intervals. */
export interface DrawnLine extends Pick<Line, 'name' | 'search' | 'tone'> {
  values: Values;
  low?: Values;
  high?: Values;
  /** The values of the period before. */
  before?: Values;
}

/** All that the chart and its tables show. */
export interface Trend {
  measure: Measure;
  interval: Bucket;
  /** One more than there are buckets, in milliseconds. */
  borders: readonly number[];
  /** For each bucket why it is not whole; null for whole ones. */
  gaps: readonly (Gap | null)[];
  /** At most as many as the chart tells apart. */
  lines: readonly DrawnLine[];
}

/** The lines over their buckets; shares are those of all lines together, drawn or not. */
export function trendOf(
  lines: readonly Line[],
  {
    measure,
    interval,
    counted,
    now,
  }: Pick<Trend, 'measure' | 'interval'> & { counted: Counted; now: number },
): Trend {
  const borders = bordersOf(lines, interval);
  const counts = measure === 'share' ? lines.map((line) => valuesAt(line.buckets, borders, 'count')) : [];
  const totals = borders.slice(0, -1).map((_, at) => counts.reduce((sum, values) => sum + values[at]!, 0));
  const valuesOf = (line: Line, index: number): Pick<DrawnLine, 'values' | 'low' | 'high' | 'before'> => {
    if (measure === 'share') {
      const shares = counts[index]!.map((count, at) => shareOf(count!, totals[at]!));
      const part = (name: 'share' | 'low' | 'high') => shares.map((one) => one?.[name] ?? null);
      return { values: part('share'), low: part('low'), high: part('high') };
    }
    const before = line.before && { before: valuesAt(line.before, borders, measure) };
    return { values: valuesAt(line.buckets, borders, measure), ...before };
  };
  return {
    measure,
    interval,
    borders,
    gaps: gapsOf(borders, counted, now),
    lines: lines.slice(0, MOST_QUERIES).map((line, index) => ({
      name: line.name,
      search: line.search,
      ...(line.tone && { tone: line.tone }),
      ...valuesOf(line, index),
    })),
  };
}

/** The values in the buckets between borders: 0 for a count and null for a sentiment where there is none. */
export function valuesAt(
  buckets: Line['buckets'],
  borders: readonly number[],
  measure: Exclude<Measure, 'share'>,
): (number | null)[] {
  const byStart = new Map(buckets.map((bucket) => [Date.parse(bucket.start), bucket]));
  return borders.slice(0, -1).map((start) => {
    const bucket = byStart.get(start);
    return measure === 'count' ? (bucket?.count ?? 0) : (bucket?.mean_sentiment ?? null);
  });
}

/** Areas of these lines on top of each other, the first one at the bottom: the upper edge of each, null where no line has a value. */
export const stacked = (lines: readonly { values: Values; tone?: Tone }[]): Values[] =>
  lines.map((line, top) =>
    line.values.map((_, at) =>
      lines.every(({ values }) => values[at] === null)
        ? null
        : lines.slice(0, top + 1).reduce((sum, { values }) => sum + (values[at] ?? 0), 0),
    ),
  );

/** Values without those of buckets that are not whole; all of them where none is whole. */
export function wholeOf(values: Values, gaps: Trend['gaps']): Values {
  const whole = values.map((value, at) => (gaps[at] === null ? value : null));
  return whole.every((value) => value === null) ? values : whole;
}
