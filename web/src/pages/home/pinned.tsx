import { Link } from '@tanstack/react-router';
import { PinOff } from 'lucide-react';
import { Card } from '../../components/card.tsx';
import { useSession } from '../../api/session.ts';
import { buttonClass } from '../../components/controls.tsx';
import { usePins } from '../../components/pinned-trends.ts';
import { Sparkline } from '../../components/sparkline.tsx';
import { formatNumber, formatSigned } from '../../format.ts';
import { trendsTexts } from '../../texts/trends.ts';
import { linesOf } from '../trends/trend-lines.ts';
import { meanOf, timesOf, totalOf, valuesAt } from '../trends/trend-values.ts';
import { queriesOf, type TrendsState } from '../trends/trends-state.ts';
import { useTrends } from '../trends/use-trends.ts';

const words = trendsTexts.pins;

/** The trends that were pinned in this browser. */
export function PinnedTrends() {
  const { workspace_id } = useSession();
  const { pins, toggle } = usePins(workspace_id);
  if (pins.length === 0) return null;
  return (
    <ul aria-label={words.title} className="mb-4 grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
      {pins.map((pin) => (
        <PinnedTrend key={JSON.stringify(pin)} state={pin} onRemove={() => toggle(pin)} />
      ))}
    </ul>
  );
}

function PinnedTrend({ state, onRemove }: { state: TrendsState; onRemove: () => void }) {
  const queries = queriesOf(state);
  const shown = queries.length === 0 ? [''] : queries;
  const { series, period } = useTrends(state, shown);
  const lines = series === null ? [] : linesOf(state, shown, series);
  const times = timesOf(lines);
  const { measure = 'count' } = state;
  const title = queries.length === 0 ? trendsTexts.everything : queries.join(' · ');
  return (
    <Card as="li" className="min-w-0 p-3 sm:p-4">
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
      <ul className="mt-2 space-y-1.5">
        {lines.map((line) => {
          const mean = meanOf(line.buckets);
          return (
            <li
              key={line.name}
              className="grid grid-cols-[minmax(0,1fr)_8rem_3.5rem] items-end gap-2 text-[13px]"
            >
              <span className="truncate text-muted" title={line.name}>
                {line.name}
              </span>
              <Sparkline values={valuesAt(line, times, 'count').map((value) => value ?? 0)} />
              <span className="text-right font-semibold tabular-nums">
                {measure === 'count'
                  ? formatNumber(totalOf(line.buckets))
                  : mean === null
                    ? '–'
                    : formatSigned(mean)}
              </span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
