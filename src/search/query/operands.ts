import { normalized } from '../../common/strings.js';
import { firstWords, hasWords } from '../../text/query-words.js';
import { foreignSyntaxIn } from './foreign-syntax.js';
import { narrowSyntax, narrowValue } from './narrow.js';
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
export const ALIASES: Readonly<Record<string, string>> = {
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
/** A field before a space or nothing. */
const LONE_FIELD = /^([a-z]{2,20}):$/i;
const WORD_CHARACTER = /[\p{L}\p{N}\p{M}]/u;
const FORUM = /^\/?r\/(\w{2,50})$/i;
const COMPARED = /^(>=|<=|>|<|=)?(-?\d{1,12}(?:\.\d{1,6})?)$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:?\d\d)$/i;
/** How names are written in texts and addresses; not part of the name. */
export const NAME_PREFIXES: Partial<Record<ValueField, RegExp>> = {
  forum: /^\/?r\/(?=.)/i,
  author: /^(?:\/?u\/|@)(?=.)/i,
};
/** Fields whose values have no comma, so that one with a comma is meant as a list. */
const LISTED = new Set<ValueField>(['author', 'forum', 'source', 'lang']);
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
  if (isOneOf(VALUE_FIELDS, field)) return valueOf(field, { ...written, text }, say);
  const value = narrowValue(text);
  if (isOneOf(NUMBER_FIELDS, field)) {
    const [, operator = '=', number] = COMPARED.exec(value) ?? [];
    if (number === undefined) return `Compare \`${field}\` with a number, for example \`${field}:>10\`.`;
    return bound(field, operator as Operator, Number(number));
  }
  if (field === 'after' || field === 'before') {
    const time = timeOf(value);
    if (time === null) return `Write a date as 2026-01-31, or a time with its zone as 2026-01-31T08:00:00Z.`;
    return bound('created', field === 'after' ? '>=' : '<', time);
  }
  const flag = `${field}:${value.toLowerCase()}`;
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
    sayForeign(narrowSyntax(text), isQuoted, say);
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
  const narrow = narrowSyntax(written);
  const isPrefix = !isQuoted && narrow.endsWith('*') && WORD_CHARACTER.test(written.at(-2) ?? '');
  sayForeign(isPrefix ? narrow.slice(0, -1) : narrow, isQuoted, say);
  const words: QueryNode = {
    kind: 'words',
    text: isPrefix ? written.slice(0, -1) : written,
    isExact: isQuoted || isExact,
    isPrefix,
    field,
  };
  const forum = field === null && !words.isExact && !isPrefix ? FORUM.exec(narrow)?.[1] : undefined;
  if (forum === undefined) return words;
  return { kind: 'or', operands: [{ kind: 'value', field: 'forum', value: forum, isPrefix: false }, words] };
}

/** Says what parts of an operand mean in other search languages, and that they are searched as text here. */
function sayForeign(narrow: string, isQuoted: boolean, say: (message: string) => void): void {
  for (const remedy of foreignSyntaxIn(narrow, isQuoted)) say(`${remedy}. It is searched as text.`);
  const name = isQuoted ? undefined : LONE_FIELD.exec(narrow)?.[1];
  if (name !== undefined && fieldOf(name) !== null)
    say(
      `The field \`${name}\` has no value directly after it, as in \`${name}:value\`, so it is searched as text.`,
    );
}

function valueOf(
  field: ValueField,
  { text, isQuoted, distance }: Written,
  say: (message: string) => void,
): QueryNode | string {
  if (distance !== null) return `\`~${distance}\` has no meaning for \`${field}\`.`;
  const known = VALUES[field];
  const narrow = narrowSyntax(text);
  const isPrefix = !isQuoted && text.length > 1 && narrow.endsWith('*');
  const whole = known === undefined ? text : narrow;
  const written = normalized(isPrefix ? whole.slice(0, -1) : whole);
  const prefix = NAME_PREFIXES[field];
  const value = prefix === undefined ? written : written.replace(prefix, '');
  sayForeign(isPrefix ? narrow.slice(0, -1) : narrow, isQuoted, say);
  if (LISTED.has(field) && value.includes(','))
    say(`\`${field}\` has one value. Write several as \`(${field}:a OR ${field}:b)\`.`);
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

/** A date or time as ISO 8601 in UTC; null when it is neither, or no year from 1 to 9999. */
function timeOf(text: string): string | null {
  if (!DAY.test(text) && !TIME.test(text)) return null;
  const day = text.slice(0, 'yyyy-mm-dd'.length);
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const time = DAY.test(text) ? midnight : Date.parse(text.toUpperCase());
  if (Number.isNaN(midnight) || Number.isNaN(time)) return null;
  // 2026-02-30 would be read as a day of March.
  if (!new Date(midnight).toISOString().startsWith(day)) return null;
  const written = new Date(time).toISOString();
  return /^(?!0000)\d{4}-/.test(written) ? written : null;
}

function isOneOf<One extends string>(list: readonly One[], text: string): text is One {
  return (list as readonly string[]).includes(text);
}
