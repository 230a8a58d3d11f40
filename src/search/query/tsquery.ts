import type { NearCondition, PhraseCondition, Slot } from './condition.js';
import type { TextField } from './query-tree.js';

/** Labels of the words of a field: those of titles are A. */
const LABELS: Record<TextField, string> = { title: 'A', text: 'D' };

/** A slot as a `tsquery`. */
export function slotTsquery({ counted, others, isPrefix }: Slot, field: TextField | null): string {
  const label = field === null ? '' : LABELS[field];
  const marks = isPrefix || label !== '' ? `:${isPrefix ? '*' : ''}${label}` : '';
  const words = [...counted, ...others].map((lexeme) => `${quoted(lexeme)}${marks}`);
  return words.length === 1 ? words[0]! : `(${words.join(' | ')})`;
}

/** Words at fixed distances as a `tsquery`. */
export function phraseTsquery({ slots, positions, field }: PhraseCondition): string {
  const words = slots.map((slot, index) => {
    const distance = index === 0 ? '' : `<${positions[index]! - positions[index - 1]!}> `;
    return distance + slotTsquery(slot, field);
  });
  return words.length === 1 ? words[0]! : `(${words.join(' ')})`;
}

/** A `tsquery` that all rows match in which the words are near each other; {@link nearSql} says which of them are. */
export const nearTsquery = ({ slots, field }: NearCondition): string =>
  `(${slots.map((slot) => slotTsquery(slot, field)).join(' & ')})`;

/**
 * The condition that the words are near each other, all in the title or all in the text: the last place of every word up
 * to some place is not too far before it. Every place of a word is read once.
 */
export function nearSql({ slots, distance, field }: NearCondition, add: (value: unknown) => string): string {
  const words = slots.flatMap(({ counted, others, isPrefix }, slot) =>
    [...counted, ...others].map((lexeme) => ({ slot, lexeme, isPrefix })),
  );
  const wanted = `jsonb_to_recordset(${add(JSON.stringify(words))}::jsonb) AS wanted (slot integer, lexeme text, "isPrefix" boolean)`;
  // Only equality lets Postgres look lexemes up instead of comparing each with each.
  const beginsSo = slots.some(({ isPrefix }) => isPrefix)
    ? ' OR wanted."isPrefix" AND starts_with(word.lexeme, wanted.lexeme)'
    : '';
  const inField = field === null ? '' : ` WHERE place.label ${field === 'title' ? '=' : '<>'} 'A'`;
  const lasts = slots.map((_, slot) => `max(place.position) FILTER (WHERE wanted.slot = ${slot}) OVER upto`);
  return `EXISTS (
    SELECT FROM (
      SELECT place.position - ${distance} AS earliest, ARRAY[${lasts.join(', ')}] AS lasts
      FROM unnest(search) AS word JOIN ${wanted} ON word.lexeme = wanted.lexeme${beginsSo}
      CROSS JOIN unnest(word.positions, word.weights) AS place (position, label)${inField}
      WINDOW upto AS (PARTITION BY place.label = 'A' ORDER BY place.position)
    ) AS places WHERE earliest <= ALL (lasts)
  )`;
}

/** A lexeme in a `tsquery`. */
const quoted = (lexeme: string): string => `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
