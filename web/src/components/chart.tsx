import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { bucketOf, dayOf, formatNumber, formatTick, isMidnight } from '../format.ts';

/** A canvas that is redrawn when its data or the theme changes, and that follows the width of its container. */
export function Chart({
  label,
  height,
  draw,
}: {
  label: string;
  height: number;
  draw: (element: HTMLElement) => uPlot;
}) {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = container.current!;
    let chart: uPlot | undefined;
    const redraw = (): void => {
      chart?.destroy();
      chart = draw(element);
    };
    redraw();
    const resized = new ResizeObserver(() => chart?.setSize({ width: element.clientWidth, height }));
    resized.observe(element);
    document.addEventListener('themechange', redraw);
    return () => {
      resized.disconnect();
      document.removeEventListener('themechange', redraw);
      chart?.destroy();
    };
  }, [draw, height]);
  return <div ref={container} role="img" aria-label={label} style={{ height }} className="overflow-hidden" />;
}

/**
 * A colour of the current theme, or that much of it, in percent, over the ground of a card. Canvas does not support
 * custom properties, so a probe element resolves them.
 */
export function themeColour(parent: HTMLElement, name: string, percent = 100): string {
  const probe = document.createElement('span');
  probe.style.color =
    percent === 100 ? `var(--${name})` : `color-mix(in srgb, var(--${name}) ${percent}%, var(--surface))`;
  parent.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** A horizontal time axis with the times of some buckets, and a vertical number axis, in the colours of the theme. */
export function themeAxes(
  element: HTMLElement,
  times: readonly string[],
  formatValue: (value: number) => string = (value) => (Number.isInteger(value) ? formatNumber(value) : ''),
): uPlot.Axis[] {
  const axis = {
    stroke: themeColour(element, 'muted'),
    font: `11px ${getComputedStyle(element).fontFamily}`,
    ticks: { show: false },
    grid: { stroke: themeColour(element, 'line'), width: 1 },
  };
  return [
    {
      ...axis,
      size: 32,
      grid: { show: false },
      ticks: { stroke: themeColour(element, 'edge'), width: 1, size: 4 },
      splits: ({ width }) => ticksOf(times, width),
      values: (_chart, ticks) =>
        ticks.map((tick) => formatTick(new Date(tick * 1_000), bucketOf(times[0]!, times[1]))),
    },
    { ...axis, size: 52, space: 28, values: (_chart, ticks) => ticks.map(formatValue) },
  ];
}

const TICK_WIDTH = 90;

/** Numbers of buckets from one name of the axis to the next. */
const STEPS = {
  hour: [1, 3, 6, 12, 24, 48, 168],
  day: [1, 2, 7, 14, 28],
  week: [1, 2, 4, 13, 26, 52],
  month: [1, 3, 6, 12, 24],
} as const;

/** Whether a bucket begins what people count in: an hour's day, a day's week, a month's year. */
const ANCHORS = {
  hour: isMidnight,
  day: (time: Date) => new Date(dayOf(time)).getUTCDay() === 1,
  week: () => false,
  month: (time: Date) => dayOf(time).slice(5, 7) === '01',
} as const;

/** Every so many times, in seconds, that their names fit the width, from the beginning of a day, a week or a year. */
export function ticksOf(times: readonly string[], width: number): number[] {
  if (times.length === 0) return [];
  const bucket = bucketOf(times[0]!, times[1]);
  const least = Math.ceil(times.length / Math.max(1, Math.floor(width / TICK_WIDTH)));
  const every = STEPS[bucket].find((step) => step >= least) ?? least;
  const first = Math.max(
    0,
    times.findIndex((time) => ANCHORS[bucket](new Date(time))),
  );
  return times.filter((_, index) => index % every === first % every).map((time) => Date.parse(time) / 1_000);
}

/** Colours and dashes that distinguish the lines of a chart, even without colour vision. */
const LINES = [
  { colour: 'accent', dash: [] },
  { colour: 'fresh', dash: [6, 4] },
  { colour: 'ink', dash: [2, 3] },
  { colour: 'muted', dash: [10, 4] },
  { colour: 'accent-strong', dash: [8, 3, 2, 3] },
] as const;
/** A faint line behind the others. */
const BEHIND = { colour: 'edge', dash: [4, 3] } as const;

/** Colours with a meaning of their own. */
export type Tone = 'positive' | 'neutral' | 'negative';

/** How a line is drawn: the one with this index, one with a meaning, or the one behind. */
export function lookOf(index: number | 'behind', tone?: Tone): { colour: string; dash: readonly number[] } {
  if (tone !== undefined) return { colour: tone, dash: [] };
  return index === 'behind' ? BEHIND : LINES[index]!;
}

/** A sample of a line as it is drawn: of the line with this index, in a colour with a meaning, or of the one behind. */
export function LineMark({ index, tone }: { index: number | 'behind'; tone?: Tone | undefined }) {
  const { colour, dash } = lookOf(index, tone);
  return (
    <svg aria-hidden="true" className="line-mark inline-block h-1 w-6" viewBox="0 0 24 4">
      <path d="M0 2h24" stroke={`var(--${colour})`} strokeWidth="3" strokeDasharray={dash.join(' ')} />
    </svg>
  );
}

/** Draws up to five lines over time; null values leave gaps. */
export function drawLines(
  element: HTMLElement,
  height: number,
  times: readonly string[],
  lines: readonly (readonly (number | null)[])[],
): uPlot {
  return new uPlot(
    {
      width: element.clientWidth,
      height,
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false } },
      axes: themeAxes(element, times),
      scales: { y: { range: (_chart, least, most) => [Math.min(0, least), Math.max(1, most * 1.05)] } },
      series: [{}, ...lines.map((_, index) => lineSeries(element, lookOf(index), times.length))],
    },
    [times.map((time) => Date.parse(time) / 1_000), ...lines.map((line) => [...line])],
    element,
  );
}

const FEW_POINTS = 40;

/** A line in a look; few values have points. */
export const lineSeries = (
  element: HTMLElement,
  { colour, dash }: ReturnType<typeof lookOf>,
  values: number,
): uPlot.Series => ({
  stroke: themeColour(element, colour),
  width: 2,
  dash: [...dash],
  spanGaps: true,
  points: { show: values < FEW_POINTS },
});
