import { useNavigate } from '@tanstack/react-router';
import { useCallback, useRef, useState } from 'react';
import type uPlot from 'uplot';
import type { SearchState } from '../search/search-state.ts';
import { Chart, LineMark } from '../../components/chart.tsx';
import { spikeText } from '../../components/spike-entry.tsx';
import { trendsTexts } from '../../texts/trends.ts';
import { searchOf } from '../search/search-record.ts';
import { type DrawnLine, type Trend } from './trend.ts';
import type { TrendEvent } from './trend-events.ts';
import { drawTrend } from './trend-plot.ts';
import { bucketText, valueText } from './trend-texts.ts';

const words = trendsTexts;
const USUAL_HEIGHT = 320;

interface Shown {
  trend: Trend;
  /** What is marked; no room is kept for marks when absent. */
  events?: readonly TrendEvent[];
  /** In pixels. */
  height?: number;
}

/** The chart alone, for those who see; `onCursor` is told the index of the bucket below the mouse. */
export function TrendPicture({
  trend,
  events,
  height = USUAL_HEIGHT,
  onCursor,
  plot,
}: Shown & {
  onCursor?: (index: number | null) => void;
  /** Is given what is drawn. */
  plot?: { current: uPlot | undefined };
}) {
  const serial = JSON.stringify({ trend, events });
  const draw = useCallback(
    (element: HTMLElement) => {
      const { trend: one, events: marked } = JSON.parse(serial) as Pick<Shown, 'trend' | 'events'>;
      const drawn = drawTrend(element, { trend: one, events: marked, height, ...(onCursor && { onCursor }) });
      if (plot) plot.current = drawn;
      return drawn;
    },
    [serial, height, onCursor, plot],
  );
  return <Chart label={words.chart(words.measures[trend.measure])} height={height} draw={draw} />;
}

/** The search for what a line counts in a bucket. */
export function searchIn({ search }: Pick<DrawnLine, 'search'>, from: number, to: number): SearchState {
  const { of = 'posts', q } = search;
  const filters = {
    created_after: new Date(from).toISOString(),
    created_before: new Date(to).toISOString(),
  };
  return { ...search, ...searchOf({ of, ...(q !== undefined && { q }), filters }) };
}

/**
 * The chart with the values of a bucket below it. The mouse and the arrow keys choose the bucket; a click or Enter opens
 * what was found then, of the first line.
 */
export function TrendChart({ trend, events, height = USUAL_HEIGHT }: Shown) {
  const { borders, lines, gaps } = trend;
  const navigate = useNavigate();
  const plot = useRef<uPlot>(undefined);
  const [index, setIndex] = useState<number | null>(null);
  const last = borders.length - 2;
  const chosen = index === null || index > last ? null : index;
  const open = (): void => {
    if (chosen !== null)
      void navigate({ to: '/search', search: searchIn(lines[0]!, borders[chosen]!, borders[chosen + 1]!) });
  };
  const choose = (at: number): void => {
    const next = Math.min(last, Math.max(0, at));
    const middle = (borders[next]! + borders[next + 1]!) / 2_000;
    plot.current?.setCursor({ left: plot.current.valToPos(middle, 'x'), top: 0 });
    setIndex(next);
  };
  const onKey = (key: string): void | false => {
    if (key === 'ArrowLeft') return choose(chosen === null ? last : chosen - 1);
    if (key === 'ArrowRight') return choose(chosen === null ? last : chosen + 1);
    if (key === 'Home') return choose(0);
    if (key === 'End') return choose(last);
    return key === 'Enter' ? open() : false;
  };
  return (
    <>
      <div
        tabIndex={0}
        role="group"
        aria-label={words.chartKeys}
        className="cursor-pointer rounded-lg"
        onClick={open}
        onKeyDown={(event) => {
          if (onKey(event.key) !== false) event.preventDefault();
        }}
      >
        <TrendPicture trend={trend} events={events} height={height} onCursor={setIndex} plot={plot} />
      </div>
      <p
        role="status"
        className="mt-1 flex min-h-11 flex-wrap content-start items-center gap-x-4 text-[13px] text-muted tabular-nums"
      >
        {chosen === null ? (
          <span>
            {words.chartHint} {gaps.some(Boolean) && words.hatched}
          </span>
        ) : (
          <ValuesAt at={chosen} trend={trend} events={events ?? []} />
        )}
      </p>
    </>
  );
}

/** What every line has in a bucket, and the events that are marked there. */
function ValuesAt({ at, trend, events }: { at: number; trend: Trend; events: readonly TrendEvent[] }) {
  return (
    <>
      <span className="font-medium text-ink">{bucketText(trend, at)}</span>
      {trend.lines.map((line, index) => (
        <span key={line.name} className="inline-flex items-center gap-1.5">
          <LineMark index={index} tone={line.tone} /> {line.name}: {valueText(trend.measure, line, at)}
        </span>
      ))}
      {events
        .filter((event) => event.at === at)
        .map((event) => (
          <span key={event.number} className={event.kind === 'spike' ? 'text-warn' : 'text-ink'}>
            {event.number}: {event.kind === 'spike' ? spikeText(event.spike) : event.story.title}
          </span>
        ))}
    </>
  );
}
