import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { formatNumber } from '../format.ts';

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

/** A horizontal time axis and a vertical number axis, in the colours of the theme. */
export function themeAxes(
  element: HTMLElement,
  formatValue: (value: number) => string = (value) => (Number.isInteger(value) ? formatNumber(value) : ''),
): uPlot.Axis[] {
  const axis = {
    stroke: themeColour(element, 'muted'),
    font: `11px ${getComputedStyle(element).fontFamily}`,
    ticks: { show: false },
    grid: { stroke: themeColour(element, 'line'), width: 1 },
  };
  return [
    { ...axis, grid: { show: false }, space: 70 },
    { ...axis, size: 52, space: 28, values: (_chart, ticks) => ticks.map(formatValue) },
  ];
}

/** Colours and dashes that distinguish the lines of a chart, even without colour vision. */
const LINES = [
  { colour: 'accent', dash: [] },
  { colour: 'bad', dash: [6, 4] },
  { colour: 'good', dash: [2, 3] },
  { colour: 'warn', dash: [10, 4] },
  { colour: 'muted', dash: [8, 3, 2, 3] },
] as const;
const MARKS = ['bg-accent', 'bg-bad', 'bg-good', 'bg-warn', 'bg-muted'] as const;

/** A sample of a line next to its name. */
export function LineMark({ index }: { index: number }) {
  return <span aria-hidden="true" className={`inline-block h-1 w-5 rounded-full ${MARKS[index]}`} />;
}

/** Draws up to five lines over time; null values leave gaps. */
export function drawLines(
  element: HTMLElement,
  height: number,
  times: readonly string[],
  lines: readonly (readonly (number | null)[])[],
  {
    formatValue,
    range,
    onCursor,
  }: {
    formatValue?: (value: number) => string;
    range?: [number, number];
    /** Called with the index of the time below the mouse, or null. */
    onCursor?: (index: number | null) => void;
  } = {},
): uPlot {
  return new uPlot(
    {
      width: element.clientWidth,
      height,
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false } },
      hooks: { setCursor: [({ cursor: { idx } }) => onCursor?.(idx ?? null)] },
      scales: {
        y: { range: (_chart, least, most) => range ?? [Math.min(0, least), Math.max(1, most * 1.05)] },
      },
      axes: themeAxes(element, formatValue),
      series: [
        {},
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
    [times.map((time) => Date.parse(time) / 1_000), ...lines.map((line) => [...line])],
    element,
  );
}
