import { formatSigned } from '../format.ts';
import { searchTexts } from '../texts/search.ts';

const COLOURS = { positive: 'text-positive', neutral: 'text-neutral', negative: 'text-negative' };
const SIGNS = { positive: '▲', neutral: '●', negative: '▼' };

export function Sentiment({ label, score }: { label: keyof typeof COLOURS; score: number }) {
  const name = searchTexts.sentiments[label];
  return (
    <span className={COLOURS[label]} title={searchTexts.sentimentScore(name, formatSigned(score))}>
      <span aria-hidden="true" className="text-[10px]">
        {SIGNS[label]}
      </span>{' '}
      {name}
    </span>
  );
}
