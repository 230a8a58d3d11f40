import { useCallback, useEffect, useRef } from 'react';
import uPlot from 'uplot';
import { Card } from '../../components/card.tsx';
import type { Schemas } from '../../api/client.ts';
import { Chart, themeAxes, themeColour } from '../../components/chart.tsx';
import { dayOf, formatNumber } from '../../format.ts';
import { searchTexts } from '../../texts/search.ts';
import { spikesTexts } from '../../texts/spikes.ts';

const HEIGHT = 128;
/** In pixels. */
const WIDEST_ALONE = 48;
/** In seconds. */
const DAY = 86_400;

/** A histogram of results over time. Dragging selects a period; keyboard users have the date fields of the filters. */
export default function TimeChart({
  series,
  onSelect,
}: {
  series: Schemas['TimeSeriesDto'];
  onSelect: (from: string, to: string) => void;
}) {
  const select = useRef(onSelect);
  useEffect(() => {
    select.current = onSelect;
  });
  const draw = useCallback(
    (element: HTMLElement) => drawBars(element, series, (from, to) => select.current(from, to)),
    [series],
  );
  const peak = series.buckets.reduce((most, bucket) => (bucket.count > most.count ? bucket : most));
  const first = series.buckets[0]!;
  const last = series.buckets.at(-1)!;
  const label = searchTexts.chart(searchTexts.intervals[series.interval]);
  return (
    <Card as="figure" className="h-full overflow-hidden px-2 pt-3 pb-1">
      <figcaption className="flex flex-wrap justify-between gap-x-3 px-2 text-[13px] text-muted">
        <span>{label}</span>
        <span className="max-sm:hidden">{searchTexts.chartHint}</span>
      </figcaption>
      <Chart
        height={HEIGHT}
        draw={draw}
        label={`${label}. ${searchTexts.chartSummary(
          spikesTexts.at(first.start, series.interval),
          spikesTexts.at(last.start, series.interval),
          spikesTexts.at(peak.start, series.interval),
          formatNumber(peak.count),
        )}`}
      />
    </Card>
  );
}

function drawBars(
  element: HTMLElement,
  { buckets, interval }: Schemas['TimeSeriesDto'],
  onSelect: (from: string, to: string) => void,
): uPlot {
  const colour = themeColour(element, 'accent');
  const isAlone = buckets.length === 1;
  return new uPlot(
    {
      width: element.clientWidth,
      height: HEIGHT,
      legend: { show: false },
      cursor: { y: false, drag: { x: true, y: false, setScale: false } },
      scales: {
        // A bar is drawn to the right of its time, so the last one needs room for one more.
        x: {
          range: (_chart, first, last) =>
            isAlone ? [first - DAY, last + DAY] : [first, last + (last - first) / (buckets.length - 1)],
        },
        y: { range: (_chart, _least, most) => [0, Math.max(1, most * 1.05)] },
      },
      axes: themeAxes(
        element,
        buckets.map(({ start }) => start),
      ),
      series: [
        {},
        {
          fill: colour,
          stroke: colour,
          width: 0,
          points: { show: false },
          paths: uPlot.paths.bars!({ size: [0.9, isAlone ? WIDEST_ALONE : Infinity], align: 1 }),
        },
      ],
      hooks: {
        setCursor: [
          ({ over, cursor: { idx } }) => {
            const bucket = idx == null ? undefined : buckets[idx];
            over.title =
              bucket === undefined
                ? ''
                : searchTexts.chartBar(spikesTexts.at(bucket.start, interval), formatNumber(bucket.count));
          },
        ],
        setSelect: [
          (chart) => {
            const { left, width } = chart.select;
            if (width < 4) return;
            const day = (position: number): string => dayOf(new Date(chart.posToVal(position, 'x') * 1_000));
            onSelect(day(left), day(left + width));
          },
        ],
      },
    },
    [buckets.map(({ start }) => Date.parse(start) / 1_000), buckets.map(({ count }) => count)],
    element,
  );
}
