import { formatNumber, formatSigned } from '../../format.ts';
import type { Schemas } from '../../api/client.ts';
import type { Counted } from './buckets.ts';
import { trendOf } from './trend.ts';
import { TrendPicture } from './trend-chart.tsx';
import { type Line, linesOf } from './trend-lines.ts';
import { meanOf, totalOf } from './trend-values.ts';
import { type Interval, type Measure, MOST_QUERIES, type TrendsState } from './trends-state.ts';

/** The chart of a trend, and its totals in words. */
export function TrendFigure({
  state,
  series,
  interval,
  counted,
  now,
  height,
  className,
}: {
  state: TrendsState;
  series: readonly Schemas['TimeSeriesDto'][];
  interval: Interval;
  counted: Counted;
  now: number;
  /** In pixels. */
  height: number;
  /** Of the totals. */
  className: string;
}) {
  const { measure = 'count' } = state;
  const lines = linesOf(state, series);
  return (
    <>
      <TrendPicture trend={trendOf(lines, { measure, interval, counted, now })} height={height} />
      <ul className={`flex flex-wrap gap-x-3 text-[13px] ${className}`}>
        {lines.slice(0, MOST_QUERIES).map((line) => (
          <li key={line.name} className="flex max-w-full gap-1.5">
            <span className="truncate text-muted">{line.name}</span>
            <span className="font-semibold tabular-nums">{totalText(measure, line)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The mean sentiment of a line where it is measured, otherwise how much it counts. */
function totalText(measure: Measure, { buckets }: Line): string {
  if (measure !== 'sentiment') return formatNumber(totalOf(buckets));
  const mean = meanOf(buckets);
  return mean === null ? '–' : formatSigned(mean);
}
