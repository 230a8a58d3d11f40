import { firstWords, hasWords } from '../../text/query-words.js';
import {
  type BoundField,
  FLAGS,
  NUMBER_FIELDS,
  type Operator,
  type QueryNode,
  TEXT_FIELDS,
  type TextField,
  VALUE_FIELDS,
  type ValueField,
} from './query-tree.js';

/** How the text of an operand is written. */
export interface Written {
  text: string;
  isQuoted: boolean;
  /** Written as `=word`. */
  isExact: boolean;
  /** From `"…"~10`; null without. */
  distance: number | null;
}

/** Other names of fields. */
const ALIASES: Readonly<Record<string, string>> = {
  subreddit: 'forum',
  body: 'text',
  selftext: 'text',
  language: 'lang',
};
const NAMES = new Set<string>([
  ...TEXT_FIELDS,
  ...VALUE_FIELDS,
  ...NUMBER_FIELDS,
  'after',
  'before',
  'is',
  'has',
]);
/** Greatest distance of words that are near each other, and the maximum number of these. */
const MAX_DISTANCE = 100;
const MAX_NEAR_WORDS = 16;
/** Maximum number of words side by side. */
const MAX_PHRASE_WORDS = 100;
const WORD_CHARACTER = /[\p{L}\p{N}\p{M}]/u;
const FORUM = /^\/?r\/(\w{2,50})$/i;
const COMPARED = /^(>=|<=|>|<|=)?(-?\d{1,12}(?:\.\d{1,6})?)$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:?\d\d)$/i;
/** How names are written in texts and addresses; not part of the name. */
const NAME_PREFIXES: Partial<Record<ValueField, RegExp>> = {
  forum: /^\/?r\/(?=.)/i,
  author: /^(?:\/?u\/|@)(?=.)/i,
};
const VALUES: Partial<Record<ValueField, readonly string[]>> = {
  type: ['link', 'self', 'image', 'video'],
  sentiment: ['positive', 'negative', 'neutral'],
};

/** The field with this name or alias; null when there is none. */
export function fieldOf(name: string): string | null {
  const lower = name.toLowerCase();
  const field = ALIASES[lower] ?? lower;
  return NAMES.has(field) ? field : null;
}

/**
 * The node of an operand in a field, or in title and text for null. A string is the reason why the operand has no
 * meaning in the field; null means that it has no words. `say` receives the changes.
 */
export function operandOf(
  field: string | null,
  written: Written,
  say: (message: string) => void,
): QueryNode | string | null {
  const text = written.text.trim();
  if (text === '') return null;
  if (field === null || isOneOf(TEXT_FIELDS, field)) return wordsOf(field, { ...written, text }, say);
  if (isOneOf(VALUE_FIELDS, field)) return valueOf(field, { ...written, text });
  if (isOneOf(NUMBER_FIELDS, field)) {
    const [, operator = '=', number] = COMPARED.exec(text) ?? [];
    if (number === undefined) return `Compare \`${field}\` with a number, for example \`${field}:>10\`.`;
    return bound(field, operator as Operator, Number(number));
  }
  if (field === 'after' || field === 'before') {
    const time = timeOf(text);
    if (time === null) return `Write a date as 2026-01-31, or a time with its zone as 2026-01-31T08:00:00Z.`;
    return bound('created', field === 'after' ? '>=' : '<', time);
  }
  const flag = `${field}:${text.toLowerCase()}`;
  if (isOneOf(FLAGS, flag)) return { kind: 'flag', flag };
  return `\`${field}:${text}\` is unknown. Known: ${FLAGS.join(', ')}.`;
}

/** The node of words in a field, or in title and text for null; null when the text has no words. */
export function wordsOf(
  field: TextField | null,
  { text, isQuoted, isExact, distance }: Written,
  say: (message: string) => void,
): QueryNode | null {
  if (!hasWords(text)) return null;
  if (distance !== null) {
    const near = Math.min(MAX_DISTANCE, Math.max(1, distance));
    if (near !== distance) say(`Words are near each other from 1 to ${MAX_DISTANCE} words apart.`);
    const words = firstWords(text, MAX_NEAR_WORDS);
    if (words !== text)
      say(`At most ${MAX_NEAR_WORDS} words can be near each other, so those after them are left out.`);
    return { kind: 'near', text: words, distance: near, field };
  }
  const written = firstWords(text, MAX_PHRASE_WORDS);
  if (written !== text)
    say(`At most ${MAX_PHRASE_WORDS} words can be side by side, so those after them are left out.`);
  const isPrefix = !isQuoted && written.endsWith('*') && WORD_CHARACTER.test(written.at(-2) ?? '');
  const words: QueryNode = {
    kind: 'words',
    text: isPrefix ? written.slice(0, -1) : written,
    isExact: isQuoted || isExact,
    isPrefix,
    field,
  };
  const forum = field === null && !words.isExact && !isPrefix ? FORUM.exec(text)?.[1] : undefined;
  if (forum === undefined) return words;
  return { kind: 'or', operands: [{ kind: 'value', field: 'forum', value: forum, isPrefix: false }, words] };
}

function valueOf(field: ValueField, { text, isQuoted, distance }: Written): QueryNode | string {
  if (distance !== null) return `\`~${distance}\` has no meaning for \`${field}\`.`;
  const isPrefix = !isQuoted && text.length > 1 && text.endsWith('*');
  const written = isPrefix ? text.slice(0, -1) : text;
  const prefix = NAME_PREFIXES[field];
  const value = prefix === undefined ? written : written.replace(prefix, '');
  const known = VALUES[field];
  if (known !== undefined && !isPrefix && !known.includes(value.toLowerCase()))
    return `\`${field}\` is one of ${known.join(', ')}.`;
  return { kind: 'value', field, value, isPrefix };
}

const bound = (field: BoundField, operator: Operator, value: number | string): QueryNode => ({
  kind: 'bound',
  field,
  operator,
  value,
});

/** A date or time as ISO 8601 in UTC; null when it is neither. */
function timeOf(text: string): string | null {
  if (!DAY.test(text) && !TIME.test(text)) return null;
  const time = Date.parse(DAY.test(text) ? `${text}T00:00:00Z` : text.toUpperCase());
  if (Number.isNaN(time)) return null;
  const written = new Date(time).toISOString();
  // 2026-02-30 would be read as a day of March.
  return DAY.test(text) && !written.startsWith(text) ? null : written;
}

function isOneOf<One extends string>(list: readonly One[], text: string): text is One {
  return (list as readonly string[]).includes(text);
}
