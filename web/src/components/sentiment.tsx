import { formatSigned } from '../format.ts';
import { texts } from '../texts.ts';

const COLOURS = { positive: 'text-positive', neutral: 'text-neutral', negative: 'text-negative' };
const SIGNS = { positive: '▲', neutral: '●', negative: '▼' };

export function Sentiment({ label, score }: { label: keyof typeof COLOURS; score: number }) {
  const name = texts.search.sentiments[label];
  return (
    <span className={COLOURS[label]} title={texts.search.sentimentScore(name, formatSigned(score))}>
      <span aria-hidden="true" className="text-[10px]">
        {SIGNS[label]}
      </span>{' '}
      {name}
    </span>
  );
}
