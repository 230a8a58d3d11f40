import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { formatNumber } from '../../format.ts';
import { trendsTexts } from '../../texts/trends.ts';
import { searchIn } from './trend-chart.tsx';
import type { Trend } from './trend.ts';
import type { TrendEvent } from './trend-events.ts';
import { bucketText, valueText } from './trend-texts.ts';

const words = trendsTexts.values;
/** A page takes too long to show more. */
const MOST_ROWS = 100;

interface Shown {
  trend: Trend;
  events: readonly TrendEvent[];
  /** Whether values lead to the rows that they count. */
  isLinked: boolean;
}

/** What the chart shows, as a table on demand: a row for each bucket, the newest first. */
export function ValuesTable(shown: Shown) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="mt-3 text-sm" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="w-fit text-[13px] text-accent">{words.show}</summary>
      {isOpen && <Values {...shown} />}
    </details>
  );
}

function Values({ trend, events, isLinked }: Shown) {
  const { borders, lines, measure } = trend;
  const rows = borders.slice(0, -1).map((_, at) => at);
  return (
    <div className="mt-2 max-h-96 overflow-auto" tabIndex={0} role="group" aria-label={words.show}>
      <table className="w-full text-left">
        <thead className="text-[13px] text-muted">
          <tr className="border-b border-line">
            <th className="py-1.5 font-medium">{words.time}</th>
            {lines.map(({ name }) => (
              <th key={name} className="max-w-40 truncate py-1.5 pl-3 text-right font-medium" title={name}>
                {name}
              </th>
            ))}
            {events.length > 0 && <th className="py-1.5 pl-3 font-medium">{words.events}</th>}
          </tr>
        </thead>
        <tbody className="tabular-nums">
          {rows
            .slice(-MOST_ROWS)
            .toReversed()
            .map((at) => (
              <tr key={borders[at]} className="border-b border-line last:border-0">
                <td className="py-1.5">{bucketText(trend, at)}</td>
                {lines.map((line) => (
                  <td key={line.name} className="py-1.5 pl-3 text-right whitespace-nowrap">
                    {isLinked ? (
                      <Link
                        to="/search"
                        search={searchIn(line, borders[at]!, borders[at + 1]!)}
                        className="text-ink no-underline hover:underline"
                      >
                        {valueText(measure, line, at)}
                      </Link>
                    ) : (
                      valueText(measure, line, at)
                    )}
                  </td>
                ))}
                {events.length > 0 && (
                  <td className="py-1.5 pl-3">
                    {events.flatMap((event) => (event.at === at ? [event.number] : [])).join(', ')}
                  </td>
                )}
              </tr>
            ))}
        </tbody>
      </table>
      {rows.length > MOST_ROWS && (
        <p className="mt-2 text-[13px] text-muted">{words.newest(formatNumber(MOST_ROWS))}</p>
      )}
    </div>
  );
}
