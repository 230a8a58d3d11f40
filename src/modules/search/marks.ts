import { SCANNER } from '../../text/scanner.js';
import type { NearCondition, PhraseCondition, Slot } from './query/condition.js';

/** Words of a query that a text may contain side by side, or near each other. */
export type Words = PhraseCondition | NearCondition;

/** A part of a text from one place up to another. */
export interface Range {
  start: number;
  end: number;
}

/** The tokens that a slot finds, by their positions in the text. */
type Places = Map<number, number[]>;

/** Where words match a text of a language, in order and without overlaps. */
export function marksIn(text: string, words: readonly Words[], language: string): Range[] {
  SCANNER.scan(text);
  const places = placesOf(
    words.flatMap((one) => one.slots),
    language,
  );
  const found = new Set<number>();
  let at = 0;
  for (const one of words) {
    const slots = places.slice(at, (at += one.slots.length));
    if (one.kind === 'phrase') addPhrases(slots, one.positions, found);
    else addNear(slots, one.distance, found);
  }
  const { starts, ends } = SCANNER.tokens;
  const ranges = [...found].map((token) => ({ start: starts[token]!, end: ends[token]! }));
  return joined(ranges.sort((a, b) => a.start - b.start || a.end - b.end));
}

/** For each slot, the tokens of the scanned text that it finds. Each distinct word of the text is compared once. */
function placesOf(slots: readonly Slot[], language: string): Places[] {
  const places = slots.map((): Places => new Map());
  const findersOf = new Map<number, Places[]>();
  const { count, ids, positions } = SCANNER.tokens;
  for (let token = 0; token < count; token += 1) {
    const term = ids[token]!;
    let finders = findersOf.get(term);
    if (finders === undefined) {
      finders = places.filter((_, index) => finds(slots[index]!, term, language));
      findersOf.set(term, finders);
    }
    for (const finder of finders) {
      const here = finder.get(positions[token]!);
      if (here === undefined) finder.set(positions[token]!, [token]);
      else here.push(token);
    }
  }
  return places;
}

const finds = ({ counted, others, isPrefix }: Slot, term: number, language: string): boolean =>
  SCANNER.terms.lexemes
    .textsOf(term, language)
    .some((text) =>
      isPrefix ? text.startsWith(counted[0]!) : counted.includes(text) || others.includes(text),
    );

/** Adds the tokens of all slots where each stands at its distance from the first. */
function addPhrases(slots: readonly Places[], distances: readonly number[], found: Set<number>): void {
  for (const position of slots[0]!.keys()) {
    const here = slots.map((places, index) => places.get(position + distances[index]!));
    if (here.every((tokens) => tokens !== undefined)) addAll(here, found);
  }
}

/** Adds the tokens of all slots wherever each stands at most `distance` positions after one of them. */
function addNear(slots: readonly Places[], distance: number, found: Set<number>): void {
  for (const first of new Set(slots.flatMap((places) => [...places.keys()]))) {
    const within = Array.from({ length: distance + 1 }, (_, after) => first + after);
    const here = slots.map((places) => within.flatMap((position) => places.get(position) ?? []));
    if (here.every((tokens) => tokens.length > 0)) addAll(here, found);
  }
}

function addAll(slots: readonly (readonly number[])[], found: Set<number>): void {
  for (const tokens of slots) for (const token of tokens) found.add(token);
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
