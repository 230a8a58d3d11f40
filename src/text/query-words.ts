import { SCANNER } from './scanner.js';
import type { Term } from './term.js';
import { TokenKind } from './token-list.js';

/** A word of a query at its position. */
export interface QueryWord {
  term: Term;
  /** From 0. */
  position: number;
  /** Whether the word is found at the beginning of longer ones: one character of a script without spaces. */
  isPrefix: boolean;
}

/** Alternatives for a text with joined spellings double with each; further ones are read as their parts only. */
const MAX_JOINED = 3;

/** Whether a text contains anything that can be found. */
export function hasWords(text: string): boolean {
  SCANNER.scan(text);
  return SCANNER.tokens.count > 0;
}

/** A text up to the end of its first `most` words; the whole text if it has no more. */
export function firstWords(text: string, most: number): string {
  if (SCANNER.scan(text, 0) <= most) return text;
  const { count, positions, spans, ends } = SCANNER.tokens;
  let end = 0;
  for (let token = 0; token < count; token += 1)
    if (positions[token]! + spans[token]! <= most) end = Math.max(end, ends[token]!);
  return text.slice(0, end);
}

/** A part of the text that stands for some of its positions. */
interface Part {
  word: Term;
  start: number;
  span: number;
  isPrefix: boolean;
  /** Whether texts have the part at its first and its last position. */
  isSign: boolean;
}

/**
 * The words of a text as a query, in the alternative ways to write it: `wi-fi router` is `wi fi router` or `wifi
 * router`. Signs such as `C++` are only the sign. Empty when the text has no words.
 */
export function wordsToFind(text: string): readonly (readonly QueryWord[])[] {
  SCANNER.scan(text, 0);
  const { tokens } = SCANNER;
  const words: Part[] = [];
  const signs: Part[] = [];
  const joined: Part[] = [];
  for (let token = 0; token < tokens.count; token += 1) {
    const kind: TokenKind = tokens.kinds[token]!;
    const part: Part = {
      word: SCANNER.terms.term(tokens.ids[token]!),
      start: tokens.positions[token]!,
      span: tokens.spans[token]!,
      isPrefix: kind === TokenKind.Single,
      isSign: kind === TokenKind.Sign,
    };
    if (kind === TokenKind.Word || kind === TokenKind.Single) words.push(part);
    else if (kind === TokenKind.Sign) signs.push(part);
    else if (kind === TokenKind.Joined) joined.push(part);
  }
  // A spelling of one position (`don't`, `Tesla's`) replaces the word there.
  const fixed = [...signs, ...joined.filter(({ span }) => span === 1)];
  let ways = [replaced(words, fixed)];
  for (const part of joined.filter(({ span }) => span > 1).slice(0, MAX_JOINED))
    if (!signs.some((sign) => overlap(sign, part)))
      ways = ways.flatMap((way) => [way, replaced(way, [part])]);
  return ways.filter((way) => way.length > 0).map(withPositions);
}

const overlap = (a: Part, b: Part): boolean => a.start < b.start + b.span && b.start < a.start + a.span;

/** The parts with those that `wholes` cover replaced by them, in order. */
function replaced(parts: readonly Part[], wholes: readonly Part[]): Part[] {
  const kept: Part[] = [];
  for (const whole of wholes) if (!kept.some((one) => overlap(one, whole))) kept.push(whole);
  return [...parts.filter((part) => !kept.some((whole) => overlap(part, whole))), ...kept].sort(
    (a, b) => a.start - b.start,
  );
}

/** A joined spelling counts as one word, so what follows it is its neighbour. */
function withPositions(parts: readonly Part[]): QueryWord[] {
  let skipped = parts[0]!.start;
  return parts.flatMap(({ word: term, start, span, isPrefix, isSign }) => {
    const position = start - skipped;
    if (span === 1) return { term, position, isPrefix };
    if (isSign) return [position, position + span - 1].map((at) => ({ term, position: at, isPrefix }));
    skipped += span - 1;
    return { term, position, isPrefix };
  });
}
