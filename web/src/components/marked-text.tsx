import { Fragment } from 'react';

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};
const unescape = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity]!);

/**
 * A fragment with `<mark>` around found words, as the service sends it. It is split into texts, so it never becomes
 * markup of the page, whatever it contains.
 */
export function MarkedText({ fragment }: { fragment: string }) {
  const parts = fragment.split(/(<\/?mark>)/);
  return parts.map((part, index) => {
    if (index % 2 === 1) return null;
    const text = unescape(part);
    return parts[index - 1] === '<mark>' ? (
      <mark key={index}>{text}</mark>
    ) : (
      <Fragment key={index}>{text}</Fragment>
    );
  });
}
