import { useNavigate } from '@tanstack/react-router';
import { useCallback, useRef, useState } from 'react';
import type uPlot from 'uplot';
import type { SearchState } from '../search/search-state.ts';
import { Chart, drawLines, drawStack, LineMark, RingMark } from '../../components/chart.tsx';
import { spikeKeywords, spikeText } from '../../components/spike-entry.tsx';
import { bucketOf, formatNumber, formatSigned } from '../../format.ts';
import { spikesTexts } from '../../texts/spikes.ts';
import { trendsTexts } from '../../texts/trends.ts';
import { searchOf } from '../search/search-record.ts';
import type { Line } from './trend-lines.ts';
import { timesOf, valuesAt } from './trend-values.ts';
import type { Measure } from './trends-state.ts';
import type { LineSpike } from './use-spikes.ts';

const words = trendsTexts;
const USUAL_HEIGHT = 280;

interface Trend {
  lines: Line[];
  measure: Measure;
  spikes: readonly LineSpike[];
  /** In pixels. */
  height?: number;
}

const isAt = ({ spike }: LineSpike, time: string): boolean => Date.parse(spike.start) === Date.parse(time);

/** Draws the lines, or areas where they have a tone; `onCursor` is told the index of the time below the mouse. */
function useDrawing(
  { lines, measure, spikes, height = USUAL_HEIGHT }: Trend,
  onCursor: (index: number | null) => void,
) {
  const plot = useRef<uPlot>(undefined);
  const times = timesOf(lines);
  const marks = spikes.map((one) => ({ line: one.line, at: times.findIndex((time) => isAt(one, time)) }));
  const serial = JSON.stringify({ lines, marks });
  const draw = useCallback(
    (element: HTMLElement) => {
      const { lines: all, marks: marked } = JSON.parse(serial) as { lines: Line[]; marks: typeof marks };
      const at = timesOf(all);
      const values = all.map((line) => valuesAt(line, at, measure));
      const areas = all.flatMap(({ tone }, line) =>
        tone === undefined ? [] : [{ tone, values: values[line]!.map((value) => value ?? 0) }],
      );
      if (areas.length > 0) return (plot.current = drawStack(element, height, at, areas, onCursor));
      const before = all.length === 1 ? all[0]!.before : undefined;
      plot.current = drawLines(element, height, at, values, {
        behind: before && valuesAt({ buckets: before }, at, measure),
        marks: marked,
        ...(measure === 'sentiment' && { formatValue: formatSigned, range: [-1, 1] as [number, number] }),
        onCursor,
      });
      return plot.current;
    },
    [serial, measure, height, onCursor],
  );
  return { plot, draw };
}

/** The search for what a line counts from a time on, up to the next time. */
function searchBetween({ search }: Line, start: string, end: string | undefined): SearchState {
  const { of = 'posts', q } = search;
  const filters = { created_after: start, ...(end !== undefined && { created_before: end }) };
  return { ...search, ...searchOf({ of, ...(q !== undefined && { q }), filters }) };
}

/**
 * The lines over time, or sentiments as areas on top of each other; a single line with that of the period before, and
 * spikes with a ring. The mouse and the arrow keys choose a time, whose values are shown; a click or Enter opens what
 * was found then, of the first line.
 */
export function TrendChart(trend: Trend) {
  const { lines, measure, height = USUAL_HEIGHT } = trend;
  const navigate = useNavigate();
  const [index, setIndex] = useState<number | null>(null);
  const { plot, draw } = useDrawing(trend, setIndex);
  const times = timesOf(lines);
  const chosen = index === null ? undefined : times[index];
  const open = (): void => {
    if (chosen !== undefined)
      void navigate({ to: '/search', search: searchBetween(lines[0]!, chosen, times[index! + 1]) });
  };
  const step = (by: 1 | -1): void => {
    const next = Math.min(times.length - 1, Math.max(0, index === null ? times.length - 1 : index + by));
    plot.current?.setCursor({ left: plot.current.valToPos(Date.parse(times[next]!) / 1_000, 'x'), top: 0 });
    setIndex(next);
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
          if (event.key === 'ArrowLeft' || event.key === 'ArrowRight')
            step(event.key === 'ArrowLeft' ? -1 : 1);
          else if (event.key === 'Enter') open();
          else return;
          event.preventDefault();
        }}
      >
        <Chart label={words.chart(words.measures[measure])} height={height} draw={draw} />
      </div>
      <ChartKey {...trend} />
      <p role="status" className="mt-1 flex min-h-6 flex-wrap gap-x-4 text-[13px] text-muted tabular-nums">
        {chosen === undefined ? words.chartHint : <ValuesAt time={chosen} {...trend} />}
      </p>
    </>
  );
}

/** A time of the chart in words; the last one may not be over. */
export function timeText(time: string, times: readonly string[], now: number = Date.now()): string {
  const [first, second] = times;
  const words = spikesTexts.at(time, bucketOf(first!, second));
  const length = second === undefined ? 0 : Date.parse(second) - Date.parse(first!);
  return Date.parse(time) + length > now ? `${words}, ${spikesTexts.unfinished}` : words;
}

/** The key of what is drawn besides the lines. */
function ChartKey({ lines, spikes }: Trend) {
  const hasBefore = lines.length === 1 && lines[0]!.before !== undefined;
  return (
    <p className="flex min-h-5 flex-wrap gap-x-4 text-[13px] text-muted">
      {hasBefore && (
        <span>
          <LineMark index="behind" /> {words.periodBefore}
        </span>
      )}
      {spikes.length > 0 && (
        <span>
          <RingMark /> {words.spike}
        </span>
      )}
    </p>
  );
}

/** What every line has at a time, and the spike that was then. */
function ValuesAt({ time, lines, measure, spikes }: Trend & { time: string }) {
  const spike = spikes.find((one) => isAt(one, time))?.spike;
  return (
    <>
      <span className="font-medium text-ink">{timeText(time, timesOf(lines))}</span>
      {lines.map((line, at) => {
        const before = line.before && textAt({ buckets: line.before }, time, measure);
        return (
          <span key={line.name} className="inline-flex items-center gap-1.5">
            <LineMark index={at} tone={line.tone} /> {line.name}: {textAt(line, time, measure)}
            {before !== undefined && ` (${words.before(before)})`}
          </span>
        );
      })}
      {spike !== undefined && (
        <span className="text-warn">
          {[spikeText(spike), spikeKeywords(spike)].filter(Boolean).join(': ')}
        </span>
      )}
    </>
  );
}

/** The value of a line at a time, in words. */
function textAt(line: Pick<Line, 'buckets'>, time: string, measure: Measure): string {
  const value = valuesAt(line, [time], measure)[0] ?? null;
  return value === null ? '–' : measure === 'count' ? formatNumber(value) : formatSigned(value);
}
