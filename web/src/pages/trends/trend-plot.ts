import uPlot from 'uplot';
import { lineSeries, lookOf, themeAxes, themeColour } from '../../components/chart.tsx';
import { trendsTexts } from '../../texts/trends.ts';
import { stacked, type Trend, type Values, wholeOf } from './trend.ts';
import type { TrendEvent } from './trend-events.ts';
import {
  drawBands,
  drawEvents,
  drawHatches,
  drawNames,
  drawParts,
  gutterOf,
  type Named,
} from './trend-marks.ts';
import { FORMATS } from './trend-texts.ts';

/** Space above the lines for the numbers of events, in pixels. */
const MARKS_HEIGHT = 26;
const TOP = 8;

interface Plot {
  trend: Trend;
  /** Undefined where no room is kept for them. */
  events: readonly TrendEvent[] | undefined;
  /** In pixels. */
  height: number;
  /** Called with the index of the bucket below the mouse, or null. */
  onCursor?: (index: number | null) => void;
}

/** The largest value that the chart has room for, above the highest one. */
export function topOf(
  { measure, lines }: Pick<Trend, 'measure' | 'lines'>,
  drawn: readonly Values[],
): number {
  const all = [
    ...drawn,
    ...lines.flatMap(({ values, high }) => [values, high ?? []]),
    (lines.length === 1 && lines[0]!.before) || [],
  ].flat();
  const most = all.reduce<number>((top, value) => Math.max(top, value ?? 0), 0);
  if (measure === 'sentiment') return 1;
  return measure === 'share' ? Math.min(1, most * 1.05) || 1 : Math.max(1, most * 1.05);
}

/** The lines of a chart, or the upper edges of its areas, without buckets that are not whole, and their names. */
function drawnOf({ gaps, lines }: Trend) {
  const isStack = lines.some(({ tone }) => tone !== undefined);
  const drawn = isStack ? stacked(lines) : lines.map(({ values }) => wholeOf(values, gaps));
  const before = lines.length === 1 ? lines[0]!.before : undefined;
  const behind = before === undefined ? [] : [before];
  const named: Named[] = [
    ...lines.map(({ name, tone }, index) => ({
      name,
      look: lookOf(index, tone),
      values: wholeOf(isStack ? middlesOf(drawn, index) : drawn[index]!, gaps),
    })),
    ...behind.map((values) => ({
      name: trendsTexts.periodBefore,
      look: { ...lookOf('behind'), colour: 'muted' },
      values,
    })),
  ];
  const indices = lines.map((_, index) => index);
  // The highest area is drawn first; the lower ones cover its lower part.
  return { isStack, drawn, behind, named, order: isStack ? indices.toReversed() : indices };
}

/**
 * Draws the lines, or areas where they have a tone, each value in the middle of its bucket: names at the ends of the
 * lines, ticks where buckets begin, hatches over those that are not whole, and the numbers of events.
 */
export function drawTrend(element: HTMLElement, { trend, events, height, onCursor }: Plot): uPlot {
  const { borders, lines, measure } = trend;
  const { isStack, drawn, behind, named, order } = drawnOf(trend);
  const middles = borders.slice(0, -1).map((start, at) => (start + borders[at + 1]!) / 2_000);
  const times = borders.map((time) => new Date(time).toISOString());
  const top = topOf(trend, drawn);
  const seriesOf = (index: number): uPlot.Series => {
    const { tone } = lines[index]!;
    const series = lineSeries(element, lookOf(index, tone), isStack ? Infinity : middles.length);
    return { ...series, ...(tone && { fill: themeColour(element, tone, 25), width: 1.5 }) };
  };
  return new uPlot(
    {
      width: element.clientWidth,
      height,
      padding: [
        events === undefined ? TOP : MARKS_HEIGHT,
        ({ width }) => gutterOf(element, named, width),
        null,
        null,
      ],
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false } },
      axes: themeAxes(element, times, measure === 'count' ? undefined : FORMATS[measure]),
      scales: {
        x: { range: () => [borders[0]! / 1_000, borders.at(-1)! / 1_000] },
        y: { range: () => [measure === 'sentiment' ? -1 : 0, top] },
      },
      series: [
        {},
        ...behind.map(() => ({ ...lineSeries(element, lookOf('behind'), Infinity), width: 1 })),
        ...order.map(seriesOf),
      ],
      hooks: {
        // Only of the mouse: a new plot has no bucket below it.
        setCursor: [({ cursor: { idx, event } }) => event && onCursor?.(idx ?? null)],
        drawClear: [
          (chart) => !isStack && drawHatches(chart, element, trend),
          (chart) => drawBands(chart, element, trend),
        ],
        draw: [
          // Areas would cover the hatches.
          (chart) => (isStack ? drawHatches : drawParts)(chart, element, trend),
          (chart) => drawNames(chart, element, named),
          (chart) => drawEvents(chart, element, events ?? [], lines),
        ],
      },
    },
    [middles, ...[...behind, ...order.map((index) => drawn[index]!)].map((values) => [...values])],
    element,
  );
}

/** Where the areas of a stack have their middles, as its names stand there. */
const middlesOf = (edges: readonly Values[], index: number): Values =>
  edges[index]!.map((edge, at) => (edge === null ? null : (edge + (edges[index - 1]?.[at] ?? 0)) / 2));
