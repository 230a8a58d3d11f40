import { KINDS } from '../../api/kinds.ts';
import type { Facet } from './search-state.ts';

/** Number of suggestions at once, so that they fit below the field. */
const MOST = 8;
/** Number of letters from which on fields are suggested. */
const LETTERS_OF_FIELD = 2;

/** What is being typed at the caret of a query: a word, or the value of a field. */
export interface Typed {
  /** Where it begins in the query, with its field. */
  start: number;
  /** Where it ends: at the caret, or after the quotation mark that follows. */
  end: number;
  /** In lower case; null for a word. */
  field: string | null;
  text: string;
}

/** A text that can replace what is being typed. */
export interface Suggestion {
  text: string;
  /** What it means, or how many records have it. */
  meaning: string | number;
}

/** The fields of the query language with their meanings, in the order of its help. */
const FIELDS: ReadonlyMap<string, string> = new Map(
  KINDS.querySyntax
    .flatMap(({ examples, meaning }) =>
      examples.flatMap((example) => {
        const [, name] = /^([a-z]+):/.exec(example) ?? [];
        return name === undefined ? [] : [[name, meaning] as const];
      }),
    )
    .reverse(),
);

const FACETS_OF_FIELDS: Readonly<Record<string, Facet>> = KINDS.facetsOfFields;
/** The fields that can be searched by the beginning of a value. */
const FOUND_BY_BEGINNING: readonly Facet[] = ['forum', 'author', 'flair'];
const PLAIN = /^[\p{L}\p{N}_-]+$/u;

/** The facet of the values of a field; undefined for a field of other values. */
export const facetOfField = (field: string | null): Facet | undefined =>
  field !== null && Object.hasOwn(FACETS_OF_FIELDS, field) ? FACETS_OF_FIELDS[field] : undefined;

/** The query that finds the records with values that begin so; undefined where none does. */
export const queryOfBeginning = (facet: Facet, text: string): string | undefined =>
  FOUND_BY_BEGINNING.includes(facet) && PLAIN.test(text) ? `${facet}:${text}*` : undefined;

const QUOTED = /(?:^|[\s(])[-!]?(([a-z]{2,20}):"([^"]*))$/i;
const UNQUOTED = /(?:^|[\s(])[-!]?((?:([a-z]{2,20}):)?([^\s"()]*))$/i;

/** What is being typed before the caret; null within a phrase. Takes linear time. */
export function typedAt(query: string, caret: number): Typed | null {
  const before = query.slice(0, caret);
  const isInQuotes = before.split('"').length % 2 === 0;
  const found = (isInQuotes ? QUOTED : UNQUOTED).exec(before);
  if (found === null) return null;
  const [, whole, field, text] = found;
  const end = isInQuotes && query[caret] === '"' ? caret + 1 : caret;
  return { start: caret - whole!.length, end, field: field?.toLowerCase() ?? null, text: text! };
}

/** The fields that begin with what is being typed. */
export function fieldSuggestions({ field, text }: Typed): Suggestion[] {
  const beginning = text.toLowerCase();
  if (field !== null || beginning.length < LETTERS_OF_FIELD) return [];
  return [...FIELDS]
    .filter(([name]) => name.startsWith(beginning))
    .map(([name, meaning]) => ({ text: `${name}:`, meaning }))
    .sort((a, b) => (a.text < b.text ? -1 : 1));
}

/** The values of a field that contain what is being typed: first those that begin so, each by its count. */
export function valueSuggestions(
  { field, text }: Typed,
  values: readonly { value: string; count: number }[],
): Suggestion[] {
  const typed = text.toLowerCase();
  const placeIn = ({ value }: { value: string }): number => value.toLowerCase().indexOf(typed);
  return values
    .filter((one) => placeIn(one) !== -1 && !one.value.includes('"'))
    .sort((a, b) => Math.min(placeIn(a), 1) - Math.min(placeIn(b), 1) || b.count - a.count)
    .slice(0, MOST)
    .map(({ value, count }) => ({
      text: `${field}:${PLAIN.test(value) ? value : `"${value}"`} `,
      meaning: count,
    }));
}

/** The query with a suggestion in place of what is being typed, and the place of the caret after it. */
export function applied(
  query: string,
  { start, end }: Typed,
  { text }: Suggestion,
): { query: string; caret: number } {
  const rest = query.slice(end);
  return {
    query: query.slice(0, start) + text + (text.endsWith(' ') ? rest.trimStart() : rest),
    caret: start + text.length,
  };
}
