import { SCANNER } from '../text/scanner.js';
import { nearStarts, phraseStarts, type Places } from './matching/word-places.js';
import { WordNumbers } from './matching/word-numbers.js';
import type { NearCondition, PhraseCondition } from './query/condition.js';

/** Words of a query that a text may contain side by side, or near each other. */
export type Words = PhraseCondition | NearCondition;

/** A part of a text from one place up to another. */
export interface Range {
  start: number;
  end: number;
}

/** The tokens of the scanned text that a word finds, with their positions, in the order of these. */
interface Occurrences {
  tokens: readonly number[];
  positions: Places;
}

/**
 * Where words match a text of a language, in order and without overlaps. Each distinct word of text and query is looked up
 * once; the time for each of `words` is in proportion to the occurrences of its words.
 */
export function marksIn(text: string, words: readonly Words[], language: string): Range[] {
  const numbers = new WordNumbers();
  const numbered = words.map(({ slots }) => slots.map((slot) => numbers.of(slot)));
  SCANNER.scan(text);
  const all = occurrencesOf(numbers, language);
  const found = new Uint8Array(SCANNER.tokens.count);
  for (const [index, one] of words.entries()) {
    const ofSlots = numbered[index]!.map((word) => all[word]!);
    const places = ofSlots.map(({ positions }) => positions);
    if (one.kind === 'phrase') {
      const starts = phraseStarts(places, one.positions);
      for (const [slot, after] of one.positions.entries())
        addWithin(ofSlots[slot]!, starts, after, after, found);
    } else {
      const starts = nearStarts(places, one.distance);
      for (const ofSlot of ofSlots) addWithin(ofSlot, starts, 0, one.distance, found);
    }
  }
  const { count, starts, ends } = SCANNER.tokens;
  const ranges: Range[] = [];
  for (let token = 0; token < count; token += 1)
    if (found[token] === 1) ranges.push({ start: starts[token]!, end: ends[token]! });
  return joined(ranges.sort((a, b) => a.start - b.start || a.end - b.end));
}

/** By number of a word: its occurrences in the scanned text. */
function occurrencesOf(numbers: WordNumbers, language: string): Occurrences[] {
  const { count, ids, positions } = SCANNER.tokens;
  const tokensOf = Array.from({ length: numbers.count }, (): number[] => []);
  const wordsOf = new Map<number, ReadonlySet<number>>();
  for (let token = 0; token < count; token += 1) {
    const term = ids[token]!;
    let words = wordsOf.get(term);
    if (words === undefined) {
      words = wordsOfTerm(numbers, term, language);
      wordsOf.set(term, words);
    }
    for (const word of words) tokensOf[word]!.push(token);
  }
  // A joined spelling follows the words after it.
  for (const tokens of tokensOf) tokens.sort((a, b) => positions[a]! - positions[b]!);
  return tokensOf.map((tokens) => ({ tokens, positions: tokens.map((token) => positions[token]!) }));
}

function wordsOfTerm(numbers: WordNumbers, term: number, language: string): ReadonlySet<number> {
  const words = new Set<number>();
  for (const text of SCANNER.terms.lexemes.textsOf(term, language))
    numbers.find(text, (word) => words.add(word));
  return words;
}

/** Sets 1 for the tokens of a word that are `from` to `to` positions after one of the ascending starts. */
function addWithin(
  { tokens, positions }: Occurrences,
  starts: Places,
  from: number,
  to: number,
  found: Uint8Array,
): void {
  let next = 0;
  for (const start of starts) {
    while (next < tokens.length && positions[next]! < start + from) next += 1;
    for (; next < tokens.length && positions[next]! <= start + to; next += 1) found[tokens[next]!] = 1;
  }
}

/** Overlapping ranges as one. */
function joined(ranges: readonly Range[]): Range[] {
  const all: Range[] = [];
  for (const { start, end } of ranges) {
    const last = all.at(-1);
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
    else all.push({ start, end });
  }
  return all;
}
