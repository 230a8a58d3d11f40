import { Link, useNavigate } from '@tanstack/react-router';
import { useCallback, useRef, useState } from 'react';
import type uPlot from 'uplot';
import { Chart, drawLines, LineMark } from '../../components/chart.tsx';
import { formatNumber, formatPercent, formatSigned, formatTime } from '../../format.ts';
import { texts } from '../../texts.ts';
import { searchOf } from '../search/search-record.ts';
import type { SearchState } from '../search/search-state.ts';
import type { Line } from './trend-lines.ts';
import { timesOf, valuesAt } from './trend-values.ts';
import type { Measure } from './trends-state.ts';

const words = texts.trends;
const HEIGHT = 280;

/**
 * The lines over time. The mouse and the arrow keys choose a time, whose values are shown; a click or Enter opens what
 * was found then, of the first line.
 */
export function TrendChart({ lines, measure }: { lines: Line[]; measure: Measure }) {
  const navigate = useNavigate();
  const [index, setIndex] = useState<number | null>(null);
  const plot = useRef<uPlot>(undefined);
  const serial = JSON.stringify(lines);
  const times = timesOf(lines);
  const chosen = index === null ? undefined : times[index];
  const draw = useCallback(
    (element: HTMLElement) => {
      const all = JSON.parse(serial) as Line[];
      const at = timesOf(all);
      const values = all.map((line) => valuesAt(line, at, measure));
      plot.current = drawLines(element, HEIGHT, at, values, {
        ...(measure === 'sentiment' && { formatValue: formatSigned, range: [-1, 1] as [number, number] }),
        onCursor: setIndex,
      });
      return plot.current;
    },
    [serial, measure],
  );
  const open = (): void => {
    if (chosen === undefined) return;
    const end = times[index! + 1];
    const [{ search }] = lines as [Line];
    void navigate({
      to: '/search',
      search: {
        ...search,
        ...searchOf({
          of: search.of ?? 'posts',
          ...(search.q !== undefined && { q: search.q }),
          filters: { created_after: chosen, ...(end !== undefined && { created_before: end }) },
        }),
      },
    });
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
        <Chart label={words.chart(words.measures[measure])} height={HEIGHT} draw={draw} />
      </div>
      <p role="status" className="mt-1 flex min-h-6 flex-wrap gap-x-4 text-[13px] text-muted tabular-nums">
        {chosen === undefined ? (
          words.chartHint
        ) : (
          <>
            <span className="font-medium text-ink">{formatTime(new Date(chosen))}</span>
            {lines.map((line, at) => {
              const value = valuesAt(line, [chosen], measure)[0] ?? null;
              return (
                <span key={line.name} className="inline-flex items-center gap-1.5">
                  <LineMark index={at} /> {line.name}:{' '}
                  {value === null ? '–' : measure === 'count' ? formatNumber(value) : formatSigned(value)}
                </span>
              );
            })}
          </>
        )}
      </p>
    </>
  );
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
  const all = lines.reduce((sum, { buckets }) => buckets.reduce((more, { count }) => more + count, sum), 0);
  return (
    <table className="mt-4 w-full text-left text-sm">
      <thead className="text-[13px] text-muted">
        <tr className="border-b border-line">
          <th className="py-2 font-medium">{title}</th>
          <th className="py-2 text-right font-medium">{words.measures.count}</th>
          {lines.length > 1 && <th className="py-2 text-right font-medium">{words.share}</th>}
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
              {lines.length > 1 && (
                <td className="py-2 text-right tabular-nums">
                  {all === 0 ? '–' : formatPercent(total / all)}
                </td>
              )}
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
