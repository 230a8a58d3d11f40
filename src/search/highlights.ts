import { characterStart } from '../common/strings.js';
import { detectLanguage } from '../text/language/detect-language.js';
import { languageToStem } from '../text/record.js';
import { marksIn, type Range, type Words } from './marks.js';
import type { Condition, PhraseCondition } from './query/condition.js';
import { conditionOfText } from './query/ranked-slots.js';

/** Maximum number of words of a query that are marked, and of characters of a text in which they are. */
const MAX_WORDS = 32;
const MAX_CHARACTERS = 20_000;
/** Maximum number of fragments of a text, and characters around the first word of each. */
const FRAGMENTS = 2;
const BEFORE = 80;
const AFTER = 160;
const ELLIPSIS = ' … ';

/** HTML for the characters of a text that need replacing. */
const HTML: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Names of the columns with the texts that are highlighted. */
const columnOf = (text: string): string => `highlight_${text}`;

/** Columns with the texts that {@link highlightsOf} reads. */
export const highlightColumns = (texts: readonly string[]): string[] =>
  texts.map((text) => `${text} AS "${columnOf(text)}"`);

/**
 * HTML-escaped texts with `<mark>` around the words that match the query, for the texts in which some do: the whole
 * title, fragments of other texts.
 */
export function highlightsOf(
  row: object,
  texts: readonly string[],
  q: string | undefined,
): Record<string, string> {
  if (q === undefined) return {};
  const values = texts.map((text) => (row as Record<string, string | null>)[columnOf(text)] ?? '');
  return highlightsIn(
    Object.fromEntries(texts.map((text, index) => [text, values[index]!])),
    conditionOfText(q),
  );
}

/**
 * As {@link highlightsOf}, of texts by their names. Only the first 32 words of the condition are marked, in the first
 * 20,000 characters of a text.
 */
export function highlightsIn(
  texts: Readonly<Record<string, string>>,
  condition: Condition,
): Record<string, string> {
  const words = firstWordsIn(condition);
  const values = Object.values(texts);
  const language = languageToStem(detectLanguage(values.join('\n')), values.join('').length);
  const highlights: Record<string, string> = {};
  for (const [text, value] of Object.entries(texts)) {
    const field = text === 'title' ? 'title' : 'text';
    const marks = marksIn(
      beginningOf(value),
      words.filter((one) => one.field === null || one.field === field),
      language,
    );
    if (marks.length === 0) continue;
    highlights[text] =
      field === 'title' ? marked(value, marks, { start: 0, end: value.length }) : fragmentsOf(value, marks);
  }
  return highlights;
}

/** The first words of a condition that are not excluded: of a longer phrase its beginning, words near each other only together. */
function firstWordsIn(condition: Condition): Words[] {
  const words: Words[] = [];
  let room = MAX_WORDS;
  for (const one of wordsIn(condition)) {
    const isCut = one.slots.length > room;
    if (room === 0 || (isCut && one.kind === 'near')) continue;
    words.push(isCut && one.kind === 'phrase' ? beginningOfPhrase(one, room) : one);
    room -= words.at(-1)!.slots.length;
  }
  return words;
}

function wordsIn(condition: Condition): Words[] {
  if (condition.kind === 'and' || condition.kind === 'or') return condition.operands.flatMap(wordsIn);
  return condition.kind === 'phrase' || condition.kind === 'near' ? [condition] : [];
}

const beginningOfPhrase = (phrase: PhraseCondition, length: number): PhraseCondition => ({
  ...phrase,
  slots: phrase.slots.slice(0, length),
  positions: phrase.positions.slice(0, length),
});

/** The part of a text in which words are marked. */
const beginningOf = (text: string): string => text.slice(0, atSpaceBefore(text, MAX_CHARACTERS));

function fragmentsOf(text: string, marks: readonly Range[]): string {
  const fragments: Range[] = [];
  for (const mark of marks) {
    const last = fragments.at(-1);
    if (last !== undefined && mark.end <= last.end) continue;
    if (fragments.length === FRAGMENTS) break;
    const start = Math.max(last?.end ?? 0, atSpace(text, mark.start - BEFORE, mark.start));
    fragments.push({ start, end: Math.max(mark.end, atSpaceBefore(text, mark.start + AFTER)) });
  }
  return fragments.map((fragment) => marked(text, marks, fragment).trim()).join(ELLIPSIS);
}

/** The place after the first white space from `from` on, at most `to`. */
function atSpace(text: string, from: number, to: number): number {
  if (from <= 0) return 0;
  const space = text.slice(from, to).search(/\s/);
  return space === -1 ? to : from + space + 1;
}

/** The place of the last white space before `end`. */
function atSpaceBefore(text: string, end: number): number {
  if (end >= text.length) return text.length;
  const space = text.lastIndexOf(' ', end);
  return space === -1 ? characterStart(text, end) : space;
}

function marked(text: string, marks: readonly Range[], { start, end }: Range): string {
  let html = '';
  let at = start;
  for (const mark of marks) {
    if (mark.start >= end) break;
    if (mark.start < start || mark.end > end) continue;
    html += `${escaped(text.slice(at, mark.start))}<mark>${escaped(text.slice(mark.start, mark.end))}</mark>`;
    at = mark.end;
  }
  return html + escaped(text.slice(at, end));
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => HTML[character]!);
