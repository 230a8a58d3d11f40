import { characterStart } from './plain-text.ts';

/** Words of fewer letters are marked only where they stand unchanged. */
const STEM_LENGTH = 4;
/** Letters by which a form may differ from the word, e.g. "updating" from "update". */
const ENDING = 3;
/** Parts of a text before its rest is left unmarked, because a page with more elements becomes slow. */
const MAX_PARTS = 2_000;

/** A part of a text, and whether it is to be marked. */
export interface MarkedPart {
  text: string;
  marked: boolean;
}

const wordsIn = (text: string): RegExpStringIterator<RegExpExecArray> => text.matchAll(/[\p{L}\p{N}]+/gu);

/** Whether two words in lower case are forms of each other, as far as their letters tell. */
function isForm(found: string, word: string): boolean {
  if (found === word) return true;
  if (word.length < STEM_LENGTH || Math.abs(found.length - word.length) > ENDING) return false;
  const stem = Math.max(STEM_LENGTH, word.length - 2);
  return found.startsWith(word.slice(0, stem));
}

/**
 * Splits a text into parts of which the forms of the given phrases' words are marked. The service decides what matches;
 * the marks only lead the eye, in linear time.
 */
export function markWords(text: string, phrases: readonly string[]): MarkedPart[] {
  const words = [
    ...new Set(phrases.flatMap((phrase) => [...wordsIn(phrase.toLowerCase())].map(([word]) => word))),
  ];
  const parts: MarkedPart[] = [];
  let end = 0;
  for (const match of wordsIn(text)) {
    if (parts.length >= MAX_PARTS) break;
    const found = match[0].toLowerCase();
    if (!words.some((word) => isForm(found, word))) continue;
    if (match.index > end) parts.push({ text: text.slice(end, match.index), marked: false });
    parts.push({ text: match[0], marked: true });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), marked: false });
  return parts;
}

const LEAD = 60;

/** The part of a text around its first marked word, at most `length` characters, with "…" where it was cut. */
export function excerptOf(text: string, phrases: readonly string[], length: number): MarkedPart[] {
  const [first] = markWords(text, phrases);
  const at = first === undefined || first.marked ? 0 : first.text.length;
  const isFound = at < text.length;
  const from = isFound && at + LEAD > length ? startOfWord(text, at - LEAD) : 0;
  const cut = text.slice(from, characterStart(text, from + length));
  return markWords(`${from > 0 ? '…' : ''}${cut}${from + length < text.length ? '…' : ''}`, phrases);
}

/** The first position from `at` on that follows a space, so that no word is cut; `at` when there is none near. */
function startOfWord(text: string, at: number): number {
  const space = text.indexOf(' ', at);
  return space === -1 || space > at + LEAD ? characterStart(text, at) : space + 1;
}

/** The words of an alert's query that can be marked: without excluded words, fields and operators. */
export function wordsOfQuery(query: string): string[] {
  return query
    .slice(0, 4_000)
    .split(/[\s()"]+/)
    .filter((word) => word !== '' && !/^[-!]|^(?:OR|AND|NOT|or)$|:/.test(word));
}
