import { Link } from '@tanstack/react-router';
import { PinOff } from 'lucide-react';
import { buttonClass } from '../../components/controls.tsx';
import { aboutOf, type ShownTrend, titleOf } from '../../components/pinned-trends.ts';
import { ErrorNote } from '../../components/states.tsx';
import { trendsTexts } from '../../texts/trends.ts';
import { TrendFigure } from '../trends/trend-figure.tsx';
import { useTrends } from '../trends/use-trends.ts';

const words = trendsTexts.pins;
const CHART_HEIGHT = 160;

/** A pinned trend: its chart, and its totals in words; with `onRemove` for those who may remove it. */
export default function PinnedTrend({
  state,
  onRemove,
}: {
  state: ShownTrend;
  onRemove: (() => void) | undefined;
}) {
  const { series, filters, now, error, retry } = useTrends(state);
  const title = titleOf(state);
  return (
    <>
      <div className="flex items-start justify-between gap-2">
        <h2 className="min-w-0 text-[13px] font-medium">
          <Link to="/trends" search={state} className="block truncate text-ink no-underline hover:underline">
            {title}
          </Link>
          <span className="block text-muted">{aboutOf(state)}</span>
        </h2>
        {onRemove && (
          <button
            type="button"
            title={words.remove}
            aria-label={words.removeNamed(title)}
            className={`${buttonClass('quiet')} -my-1 px-1.5! text-muted!`}
            onClick={onRemove}
          >
            <PinOff className="size-4" />
          </button>
        )}
      </div>
      {error && <ErrorNote error={error} onRetry={retry} />}
      {series !== null && (
        <TrendFigure
          {...{ state, series, now, interval: state.interval, counted: filters }}
          height={CHART_HEIGHT}
          className="h-5 overflow-hidden"
        />
      )}
    </>
  );
}
