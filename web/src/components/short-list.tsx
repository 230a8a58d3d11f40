import { useState } from 'react';
import { formatNumber } from '../format.ts';
import { commonTexts } from '../texts/common.ts';

const SHOWN = 12;

/** Names separated by commas: the first twelve, and the rest on demand. */
export function ShortList({ items }: { items: readonly string[] }) {
  const [isWhole, setWhole] = useState(false);
  const more = items.length - SHOWN;
  if (more <= 0) return items.join(', ');
  return (
    <>
      {(isWhole ? items : items.slice(0, SHOWN)).join(', ')}{' '}
      <button
        type="button"
        aria-expanded={isWhole}
        className="text-accent underline"
        onClick={() => setWhole(!isWhole)}
      >
        {isWhole ? commonTexts.fewer : commonTexts.more(formatNumber(more))}
      </button>
    </>
  );
}
