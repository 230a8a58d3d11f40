import { Link } from '@tanstack/react-router';
import { useCallback } from 'react';
import { Chart, drawLines, LineMark } from '../../components/chart.tsx';
import { formatNumber, formatSigned } from '../../format.ts';
import { texts } from '../../texts.ts';
import type { SearchState } from '../search/search-state.ts';
import type { Line } from './trend-lines.ts';
import type { Measure } from './trends-state.ts';

const words = texts.trends;
const HEIGHT = 280;

/** The lines over time. */
export function TrendChart({ series, measure }: { series: Line[]; measure: Measure }) {
  const serial = JSON.stringify(series);
  const draw = useCallback(
    (element: HTMLElement) => {
      const all = JSON.parse(serial) as Line[];
      const times = [...new Set(all.flatMap(({ buckets }) => buckets.map(({ start }) => start)))].sort();
      const lines = all.map(({ buckets }) => {
        const byStart = new Map(buckets.map((bucket) => [bucket.start, bucket]));
        return times.map((time) => {
          const bucket = byStart.get(time);
          return measure === 'count' ? (bucket?.count ?? 0) : (bucket?.mean_sentiment ?? null);
        });
      });
      return drawLines(
        element,
        HEIGHT,
        times,
        lines,
        measure === 'count' ? {} : { formatValue: formatSigned, range: [-1, 1] },
      );
    },
    [serial, measure],
  );
  return <Chart label={words.chart(words.measures[measure])} height={HEIGHT} draw={draw} />;
}

/** Each line with its colour, its total and its mean sentiment. */
export function Totals({
  title,
  lines,
  days,
}: {
  title: string;
  lines: Line[];
  days: Pick<SearchState, 'from' | 'to'>;
}) {
  return (
    <table className="mt-4 w-full text-left text-sm">
      <thead className="text-[13px] text-muted">
        <tr className="border-b border-line">
          <th className="py-2 font-medium">{title}</th>
          <th className="py-2 text-right font-medium">{words.measures.count}</th>
          <th className="py-2 text-right font-medium">{words.measures.sentiment}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ name, search, buckets }, index) => {
          const total = buckets.reduce((sum, { count }) => sum + count, 0);
          const sounds = buckets.some(({ mean_sentiment }) => mean_sentiment !== null);
          const sentiment = buckets.reduce((sum, one) => sum + one.count * (one.mean_sentiment ?? 0), 0);
          return (
            <tr key={name} className="border-b border-line last:border-0">
              <td className="py-2 [overflow-wrap:anywhere]">
                <span className="mr-2 inline-flex align-middle">
                  <LineMark index={index} />
                </span>
                <Link to="/search" search={{ ...search, ...days }} className="text-accent">
                  {name}
                </Link>
              </td>
              <td className="py-2 text-right tabular-nums">{formatNumber(total)}</td>
              <td className="py-2 text-right tabular-nums">
                {sounds ? formatSigned(sentiment / total) : '–'}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
