import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { bucketOf, formatNumber, formatTick } from '../format.ts';

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

/** A colour of the current theme. Canvas does not support custom properties, so a probe element resolves them. */
export function themeColour(parent: HTMLElement, name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(--${name})`;
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
      grid: { show: false },
      splits: ({ width }) => ticksOf(times, width),
      values: (_chart, ticks) =>
        ticks.map((tick) => formatTick(new Date(tick * 1_000), bucketOf(times[0]!, times[1]))),
    },
    { ...axis, size: 52, space: 28, values: (_chart, ticks) => ticks.map(formatValue) },
  ];
}

const TICK_WIDTH = 90;

/** Every so many times, in seconds, that their names fit the width. */
export function ticksOf(times: readonly string[], width: number): number[] {
  const every = Math.ceil(times.length / Math.max(1, Math.floor(width / TICK_WIDTH)));
  return times.filter((_, index) => index % every === 0).map((time) => Date.parse(time) / 1_000);
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

/** A sample of a line as it is drawn: of the line with this index, in a colour with a meaning, or of the one behind. */
export function LineMark({ index, tone }: { index: number | 'behind'; tone?: Tone | undefined }) {
  const line = index === 'behind' ? BEHIND : LINES[index]!;
  const { colour, dash } = tone === undefined ? line : { colour: tone, dash: [] };
  return (
    <svg aria-hidden="true" className="line-mark inline-block h-1 w-6" viewBox="0 0 24 4">
      <path d="M0 2h24" stroke={`var(--${colour})`} strokeWidth="3" strokeDasharray={dash.join(' ')} />
    </svg>
  );
}

/** A sample of the ring around a marked point. */
export const RingMark = () => (
  <span aria-hidden="true" className="inline-block size-2.5 rounded-full border-2 border-warn" />
);

type Values = readonly (number | null)[];

interface LineOptions {
  formatValue?: (value: number) => string;
  range?: [number, number];
  /** A faint line behind the others. */
  behind?: Values | undefined;
  /** Points to mark: the index of a line and of a time. */
  marks?: readonly { line: number; at: number }[];
  /** Called with the index of the time below the mouse, or null. */
  onCursor?: (index: number | null) => void;
}

/** Draws up to five lines over time; null values leave gaps. */
export function drawLines(
  element: HTMLElement,
  height: number,
  times: readonly string[],
  lines: readonly Values[],
  { formatValue, range, behind, marks = [], onCursor }: LineOptions = {},
): uPlot {
  const faint = behind === undefined ? [] : [behind];
  return new uPlot(
    {
      ...frame(element, height, times, formatValue),
      hooks: {
        setCursor: [({ cursor: { idx } }) => onCursor?.(idx ?? null)],
        draw: [
          (chart) => {
            for (const { line, at } of marks) circle(chart, element, at, lines[line]?.[at] ?? null);
          },
        ],
      },
      scales: {
        y: { range: (_chart, least, most) => range ?? [Math.min(0, least), Math.max(1, most * 1.05)] },
      },
      series: [
        {},
        ...faint.map(() => ({
          stroke: themeColour(element, BEHIND.colour),
          width: 1,
          dash: [...BEHIND.dash],
          spanGaps: true,
          points: { show: false },
        })),
        ...lines.map((_, index) => {
          const { colour, dash } = LINES[index]!;
          return {
            stroke: themeColour(element, colour),
            width: 2,
            dash: [...dash],
            spanGaps: true,
            points: { show: times.length < 40 },
          };
        }),
      ],
    },
    [times.map((time) => Date.parse(time) / 1_000), ...[...faint, ...lines].map((line) => [...line])],
    element,
  );
}

/** Draws counts over time as areas on top of each other, the first one at the bottom. */
export function drawStack(
  element: HTMLElement,
  height: number,
  times: readonly string[],
  areas: readonly { tone: Tone; values: readonly number[] }[],
  onCursor?: (index: number | null) => void,
): uPlot {
  const sums = areas.map((_, top) =>
    times.map((_time, at) => areas.slice(0, top + 1).reduce((sum, { values }) => sum + values[at]!, 0)),
  );
  // The highest area is drawn first; the lower ones cover its lower part.
  const order = areas.map((_, index) => index).toReversed();
  return new uPlot(
    {
      ...frame(element, height, times),
      hooks: { setCursor: [({ cursor: { idx } }) => onCursor?.(idx ?? null)] },
      scales: { y: { range: (_chart, _least, most) => [0, Math.max(1, most * 1.05)] } },
      series: [
        {},
        ...order.map((index) => ({
          stroke: themeColour(element, areas[index]!.tone),
          fill: themeColour(element, `${areas[index]!.tone}-soft`),
          width: 1.5,
          points: { show: false },
        })),
      ],
    },
    [times.map((time) => Date.parse(time) / 1_000), ...order.map((index) => sums[index]!)],
    element,
  );
}

const frame = (
  element: HTMLElement,
  height: number,
  times: readonly string[],
  formatValue?: (value: number) => string,
) => ({
  width: element.clientWidth,
  height,
  legend: { show: false },
  cursor: { y: false, drag: { x: false, y: false } },
  axes: themeAxes(element, times, formatValue),
});

const MARK_RADIUS = 5;

/** Rings a point of a chart. */
function circle(chart: uPlot, element: HTMLElement, at: number, value: number | null): void {
  const time = chart.data[0][at];
  if (value === null || time === undefined) return;
  const { ctx } = chart;
  ctx.save();
  ctx.beginPath();
  ctx.arc(
    chart.valToPos(time, 'x', true),
    chart.valToPos(value, 'y', true),
    MARK_RADIUS * devicePixelRatio,
    0,
    2 * Math.PI,
  );
  ctx.lineWidth = 2 * devicePixelRatio;
  ctx.strokeStyle = themeColour(element, 'warn');
  ctx.fillStyle = themeColour(element, 'surface');
  ctx.fill();
  ctx.stroke();
  ctx.restore();
}
