import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { LineMark } from '../../components/chart.tsx';
import { Button } from '../../components/controls.tsx';
import { formatNumber, formatPercent, formatSigned } from '../../format.ts';
import { commonTexts } from '../../texts/common.ts';
import { trendsTexts } from '../../texts/trends.ts';
import type { SearchState } from '../search/search-state.ts';
import { type Share, shareOf } from './share.ts';
import type { Line } from './trend-lines.ts';
import { MOST_QUERIES } from './trends-state.ts';
import { meanOf, totalOf } from './trend-values.ts';

type Days = Pick<SearchState, 'from' | 'to'>;

const words = trendsTexts;
const number = 'py-2 pl-3 text-right tabular-nums';
const FEW = 10;

/**
 * Each line with its total, the change from the period before, its share with the interval, and its mean sentiment; the
 * first ones, which the chart draws, with their look. A long list is shown on demand.
 */
export function Totals({ title, lines, days }: { title: string; lines: Line[]; days: Days }) {
  const [isWhole, setWhole] = useState(false);
  const all = lines.reduce((sum, { buckets }) => sum + totalOf(buckets), 0);
  const hasBefore = lines.some(({ before }) => before !== undefined);
  const hasSentiment = lines.some(({ buckets }) => meanOf(buckets) !== null);
  return (
    <>
      <table className="mt-4 w-full text-left text-sm">
        <thead className="text-[13px] text-muted">
          <tr className="border-b border-line">
            <th className="py-2 font-medium">{title}</th>
            <th className="py-2 pl-3 text-right font-medium">{words.measures.count}</th>
            {hasBefore && <th className="py-2 pl-3 text-right font-medium">{words.change}</th>}
            {lines.length > 1 && (
              <th className="py-2 pl-3 text-right font-medium" title={words.shareHint}>
                {words.share}
              </th>
            )}
            {hasSentiment && (
              <th className="py-2 pl-3 text-right font-medium max-sm:hidden">{words.sentiment}</th>
            )}
          </tr>
        </thead>
        <tbody>
          {(isWhole ? lines : lines.slice(0, FEW)).map((line, index) => (
            <Total
              key={line.name}
              {...{ line, index, days, hasBefore, hasSentiment }}
              share={lines.length > 1 ? shareOf(totalOf(line.buckets), all) : undefined}
            />
          ))}
        </tbody>
      </table>
      {lines.length > FEW && (
        <Button className="mt-2" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? commonTexts.fewer : words.allValues(formatNumber(lines.length))}
        </Button>
      )}
    </>
  );
}

function Total({
  line: { name, search, buckets, before, tone },
  index,
  days,
  share,
  hasBefore,
  hasSentiment,
}: {
  line: Line;
  index: number;
  days: Days;
  /** Undefined for a line alone, null where nothing is found. */
  share: Share | null | undefined;
  hasBefore: boolean;
  hasSentiment: boolean;
}) {
  const total = totalOf(buckets);
  const sentiment = meanOf(buckets);
  return (
    <tr className="border-b border-line last:border-0">
      <td className="py-2 [overflow-wrap:anywhere]">
        {index < MOST_QUERIES && (
          <span className="mr-2 inline-flex align-middle">
            <LineMark index={index} tone={tone} />
          </span>
        )}
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
      {share !== undefined && (
        <td className={number}>
          {share === null ? '–' : formatPercent(share.share)}
          {share !== null && (
            <span className="text-[12px] text-muted max-sm:block">
              {' '}
              {words.between(formatPercent(share.low), formatPercent(share.high))}
            </span>
          )}
        </td>
      )}
      {hasSentiment && (
        <td className={`${number} max-sm:hidden`}>{sentiment === null ? '–' : formatSigned(sentiment)}</td>
      )}
    </tr>
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
