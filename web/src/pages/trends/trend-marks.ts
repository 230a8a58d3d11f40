import type uPlot from 'uplot';
import { lookOf, themeColour } from '../../components/chart.tsx';
import { fitted, placeApart } from './place-apart.ts';
import type { Trend, Values } from './trend.ts';
import type { TrendEvent } from './trend-events.ts';

/** What is written at the end of a line. */
export interface Named {
  name: string;
  look: ReturnType<typeof lookOf>;
  /** Its height in each bucket. */
  values: Values;
}

/** All in pixels of the page. */
const NAME_HEIGHT = 14;
const NAME_SPACE = 18;
const LEAST_GUTTER = 56;
const MOST_GUTTER = 150;
const HATCH_STEP = 7;
const MARK_SIZE = 17;
const RING_RADIUS = 5;

const fontOf = (element: HTMLElement, ratio: number, weight = 500): string =>
  `${weight} ${11 * ratio}px ${getComputedStyle(element).fontFamily}`;

/** The width of the space for names beside a chart: of the longest one, at most a quarter of the chart. */
export function gutterOf(element: HTMLElement, named: readonly Named[], width: number): number {
  const context = document.createElement('canvas').getContext('2d')!;
  context.font = fontOf(element, 1);
  const longest = Math.max(
    0,
    ...named.map(({ name }) => context.measureText(name.slice(0, MOST_GUTTER)).width),
  );
  return Math.min(longest + NAME_SPACE, MOST_GUTTER, Math.max(LEAST_GUTTER, width / 4));
}

const xOf = (chart: uPlot, seconds: number): number => chart.valToPos(seconds, 'x', true);
const yOf = (chart: uPlot, value: number): number => chart.valToPos(value, 'y', true);

/** Draws with the settings of the canvas as they were afterwards. */
function drawing(chart: uPlot, draw: (context: CanvasRenderingContext2D, ratio: number) => void): void {
  chart.ctx.save();
  chart.ctx.setLineDash([]);
  draw(chart.ctx, devicePixelRatio);
  chart.ctx.restore();
}

/** Hatches the buckets that are not whole. */
export function drawHatches(chart: uPlot, element: HTMLElement, { borders, gaps }: Trend): void {
  const { top, height } = chart.bbox;
  for (const [at, gap] of gaps.entries()) {
    if (gap === null) continue;
    const [from, to] = [xOf(chart, borders[at]! / 1_000), xOf(chart, borders[at + 1]! / 1_000)];
    drawing(chart, (context, ratio) => {
      context.beginPath();
      context.rect(from, top, to - from, height);
      context.clip();
      context.beginPath();
      for (let x = from - height; x < to; x += HATCH_STEP * ratio) {
        context.moveTo(x, top + height);
        context.lineTo(x + height, top);
      }
      context.lineWidth = ratio;
      context.strokeStyle = themeColour(element, 'edge');
      context.globalAlpha = 0.6;
      context.stroke();
    });
  }
}

/** Continues lines into the buckets that are not whole, faintly: that they fall there means nothing. */
export function drawParts(chart: uPlot, element: HTMLElement, { lines, gaps }: Trend): void {
  const [times] = chart.data;
  drawing(chart, (context, ratio) => {
    context.globalAlpha = 0.6;
    context.lineWidth = 1.5 * ratio;
    context.setLineDash([2 * ratio, 3 * ratio]);
    for (const [index, { values, tone }] of lines.entries()) {
      context.strokeStyle = themeColour(element, lookOf(index, tone).colour);
      for (const [at, gap] of gaps.entries()) {
        const ends = gap === null ? [] : [at === 0 ? 1 : at - 1, at];
        if (ends.some((end) => values[end] == null)) continue;
        context.beginPath();
        for (const end of ends) context.lineTo(xOf(chart, times[end]!), yOf(chart, values[end]!));
        context.stroke();
      }
    }
  });
}

/** Fills the intervals around lines that have them. */
export function drawBands(chart: uPlot, element: HTMLElement, { lines }: Trend): void {
  const [times] = chart.data;
  for (const [index, { low, high, tone }] of lines.entries()) {
    if (low === undefined || high === undefined || tone !== undefined) continue;
    const known = low.flatMap((value, at) => (value === null ? [] : [at]));
    const point = (values: Values, at: number) => [xOf(chart, times[at]!), yOf(chart, values[at]!)] as const;
    drawing(chart, (context) => {
      context.beginPath();
      for (const at of known) context.lineTo(...point(high, at));
      for (const at of known.toReversed()) context.lineTo(...point(low, at));
      context.closePath();
      context.fillStyle = themeColour(element, lookOf(index).colour);
      context.globalAlpha = 0.12;
      context.fill();
    });
  }
}

/** Writes the names of lines beside their last values, none over another, each with a stroke to its line. */
export function drawNames(chart: uPlot, element: HTMLElement, named: readonly Named[]): void {
  const [times] = chart.data;
  const { left, top, width, height } = chart.bbox;
  const ends = named.flatMap(({ name, look, values }) => {
    const at = values.findLastIndex((value) => value !== null);
    return at < 0 ? [] : [{ name, look, x: xOf(chart, times[at]!), y: yOf(chart, values[at]!) }];
  });
  drawing(chart, (context, ratio) => {
    const size = NAME_HEIGHT * ratio;
    const places = placeApart(
      ends.map(({ y }) => y),
      size,
      top - size / 2,
      top + height + size / 2,
    );
    const from = left + width + (NAME_SPACE - 4) * ratio;
    const space = chart.width * ratio - from;
    context.font = fontOf(element, ratio);
    context.textBaseline = 'middle';
    context.textAlign = 'left';
    for (const [index, { name, look, x, y }] of ends.entries()) {
      const colour = themeColour(element, look.colour);
      context.strokeStyle = colour;
      context.lineWidth = ratio;
      context.globalAlpha = 0.6;
      context.beginPath();
      context.moveTo(x + 3 * ratio, y);
      context.lineTo(from - 3 * ratio, places[index]!);
      context.stroke();
      context.globalAlpha = 1;
      context.fillStyle = colour;
      context.fillText(
        fitted(name, space, (text) => context.measureText(text).width),
        from,
        places[index]!,
      );
    }
  });
}

/** Writes the numbers of events above the lines, none over another: those of spikes round, with a ring at the line. */
export function drawEvents(
  chart: uPlot,
  element: HTMLElement,
  events: readonly TrendEvent[],
  lines: Trend['lines'],
): void {
  const [times] = chart.data;
  const { left, top, width, height } = chart.bbox;
  drawing(chart, (context, ratio) => {
    const size = MARK_SIZE * ratio;
    const places = placeApart(
      events.map(({ at }) => xOf(chart, times[at]!)),
      size + 2 * ratio,
      left - size / 2,
      left + width + size / 2,
    );
    const y = top - size / 2 - 5 * ratio;
    context.font = fontOf(element, ratio, 600);
    context.textBaseline = 'middle';
    context.textAlign = 'center';
    context.lineWidth = 1.5 * ratio;
    for (const [index, event] of events.entries()) {
      const [x, place] = [xOf(chart, times[event.at]!), places[index]!];
      const colour = themeColour(element, event.kind === 'spike' ? 'warn' : 'muted');
      const line = event.kind === 'spike' && event.line !== null ? lines[event.line] : undefined;
      const value = line?.values[event.at] ?? null;
      const ring = value === null ? null : yOf(chart, value);
      const end = ring === null ? top + height : ring - RING_RADIUS * ratio;
      context.strokeStyle = context.fillStyle = colour;
      stem(context, [place, y + size / 2], [x, top], [x, end]);
      if (ring !== null) outline(context, x, ring, 2 * RING_RADIUS * ratio, true);
      outline(context, place, y, size, event.kind === 'spike');
      context.fillText(String(event.number), place, y + 0.5 * ratio);
    }
  });
}

type Point = readonly [number, number];

/** A faint line from a number to what it stands for. */
function stem(context: CanvasRenderingContext2D, from: Point, by: Point, to: Point): void {
  context.save();
  context.globalAlpha = 0.45;
  context.lineWidth /= 1.5;
  context.beginPath();
  context.moveTo(...from);
  context.lineTo(...by);
  context.lineTo(...to);
  context.stroke();
  context.restore();
}

/** A circle or a square around a point. */
function outline(
  context: CanvasRenderingContext2D,
  x: number,
  y: number,
  size: number,
  isRound: boolean,
): void {
  context.beginPath();
  context.roundRect(x - size / 2, y - size / 2, size, size, isRound ? size / 2 : size / 5);
  context.stroke();
}
