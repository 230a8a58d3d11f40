import { Link } from '@tanstack/react-router';
import { PinOff } from 'lucide-react';
import { Card } from '../../components/card.tsx';
import { buttonClass } from '../../components/controls.tsx';
import { formatNumber, formatSigned } from '../../format.ts';
import { trendsTexts } from '../../texts/trends.ts';
import { trendOf } from '../trends/trend.ts';
import { TrendPicture } from '../trends/trend-chart.tsx';
import { type Line, linesOf } from '../trends/trend-lines.ts';
import { meanOf, totalOf } from '../trends/trend-values.ts';
import { type Measure, MOST_QUERIES, queriesOf, type TrendsState } from '../trends/trends-state.ts';
import { useTrends } from '../trends/use-trends.ts';
import { PINNED_CLASS } from './pins.tsx';

const words = trendsTexts.pins;
const CHART_HEIGHT = 160;

/** A pinned trend: its chart, and its totals in words. */
export default function PinnedTrend({ state, onRemove }: { state: TrendsState; onRemove: () => void }) {
  const { series, period, interval, filters, now } = useTrends(state);
  const lines = series === null ? [] : linesOf(state, series);
  const { measure = 'count' } = state;
  const queries = queriesOf(state);
  const title = queries.length === 0 ? trendsTexts.everything : queries.join(' · ');
  return (
    <Card as="li" className={PINNED_CLASS}>
      <div className="flex items-start justify-between gap-2">
        <h2 className="min-w-0 text-[13px] font-medium">
          <Link to="/trends" search={state} className="block truncate text-ink no-underline hover:underline">
            {title}
          </Link>
          <span className="block text-muted">
            {trendsTexts.measures[measure]}, {trendsTexts.periods[period].toLowerCase()}
          </span>
        </h2>
        <button
          type="button"
          title={words.remove}
          aria-label={words.removeNamed(title)}
          className={`${buttonClass('quiet')} -my-1 px-1.5! text-muted!`}
          onClick={onRemove}
        >
          <PinOff className="size-4" />
        </button>
      </div>
      {lines.length > 0 && interval !== undefined && (
        <>
          <TrendPicture
            trend={trendOf(lines, { measure, interval, counted: filters, now })}
            height={CHART_HEIGHT}
          />
          <ul className="flex h-5 flex-wrap gap-x-3 overflow-hidden text-[13px]">
            {lines.slice(0, MOST_QUERIES).map((line) => (
              <li key={line.name} className="flex max-w-full gap-1.5">
                <span className="truncate text-muted">{line.name}</span>
                <span className="font-semibold tabular-nums">{totalText(measure, line)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Card>
  );
}

/** The mean sentiment of a line where it is measured, otherwise how much it counts. */
function totalText(measure: Measure, { buckets }: Line): string {
  if (measure !== 'sentiment') return formatNumber(totalOf(buckets));
  const mean = meanOf(buckets);
  return mean === null ? '–' : formatSigned(mean);
}
