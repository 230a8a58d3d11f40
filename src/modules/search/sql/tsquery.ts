import type { NearCondition, PhraseCondition, Slot } from '../query/condition.js';
import type { TextField } from '../query/query-tree.js';

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

/** The condition that the words are near each other, all in the title or all in the text. */
export function nearSql({ slots, distance, field }: NearCondition, add: (value: unknown) => string): string {
  const words = slots.flatMap(({ counted, others, isPrefix }, slot) =>
    [...counted, ...others].map((lexeme) => ({ slot, lexeme, isPrefix })),
  );
  const wanted = `jsonb_to_recordset(${add(JSON.stringify(words))}::jsonb) AS wanted (slot integer, lexeme text, "isPrefix" boolean)`;
  const inField = field === null ? '' : ` AND first.is_title = ${String(field === 'title')}`;
  return `EXISTS (
    WITH places AS MATERIALIZED (
      SELECT wanted.slot, place.position, place.label = 'A' AS is_title FROM unnest(search) AS word
      JOIN ${wanted} ON word.lexeme = wanted.lexeme OR wanted."isPrefix" AND starts_with(word.lexeme, wanted.lexeme)
      CROSS JOIN unnest(word.positions, word.weights) AS place (position, label)
    )
    SELECT FROM places AS first WHERE (
      SELECT count(DISTINCT slot) FROM places WHERE places.is_title = first.is_title
        AND places.position BETWEEN first.position AND first.position + ${distance}
    ) = ${slots.length}${inField}
  )`;
}

/** A lexeme in a `tsquery`. */
const quoted = (lexeme: string): string => `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
