import { Link } from '@tanstack/react-router';
import { LineMark } from '../../components/chart.tsx';
import { formatNumber, formatPercent, formatSigned } from '../../format.ts';
import { trendsTexts } from '../../texts/trends.ts';
import type { SearchState } from '../search/search-state.ts';
import type { Line } from './trend-lines.ts';
import { meanOf, totalOf } from './trend-values.ts';

const words = trendsTexts;
const number = 'py-2 pl-3 text-right tabular-nums';

/** Each line with its colour, its total, the change from the period before, its share and its mean sentiment. */
export function Totals({
  title,
  lines,
  days,
}: {
  title: string;
  lines: Line[];
  days: Pick<SearchState, 'from' | 'to'>;
}) {
  const all = lines.reduce((sum, { buckets }) => sum + totalOf(buckets), 0);
  const hasBefore = lines.some(({ before }) => before !== undefined);
  return (
    <table className="mt-4 w-full text-left text-sm">
      <thead className="text-[13px] text-muted">
        <tr className="border-b border-line">
          <th className="py-2 font-medium">{title}</th>
          <th className="py-2 pl-3 text-right font-medium">{words.measures.count}</th>
          {hasBefore && <th className="py-2 pl-3 text-right font-medium">{words.change}</th>}
          {lines.length > 1 && <th className="py-2 pl-3 text-right font-medium">{words.share}</th>}
          <th className="py-2 pl-3 text-right font-medium">{words.measures.sentiment}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ name, search, buckets, before, tone }, index) => {
          const total = totalOf(buckets);
          const sentiment = meanOf(buckets);
          return (
            <tr key={name} className="border-b border-line last:border-0">
              <td className="py-2 [overflow-wrap:anywhere]">
                <span className="mr-2 inline-flex align-middle">
                  <LineMark index={index} tone={tone} />
                </span>
                <Link to="/search" search={{ ...search, ...days }} className="text-accent">
                  {name}
                </Link>
              </td>
              <td className={number}>{formatNumber(total)}</td>
              {hasBefore && (
                <td className={number}>
                  {before === undefined ? '–' : <Change now={total} before={totalOf(before)} />}
                </td>
              )}
              {lines.length > 1 && <td className={number}>{all === 0 ? '–' : formatPercent(total / all)}</td>}
              <td className={number}>{sentiment === null ? '–' : formatSigned(sentiment)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** How much more or less was found than in the period before. */
function Change({ now, before }: { now: number; before: number }) {
  const share =
    before === 0 || now === before ? '' : ` (${formatSigned(Math.round((100 * (now - before)) / before))}%)`;
  return (
    <span title={words.changed(formatNumber(before))}>
      {formatSigned(now - before)}
      <span className="text-muted">{share}</span>
    </span>
  );
}
