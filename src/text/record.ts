import { lexemesOf, UNSURE } from './lexemes.js';
import { SCANNER } from './scanner.js';
import { hasDefaultStems } from './stems.js';
import type { Lexeme, Term } from './term-table.js';

/** The texts of a record in which words are found. */
export interface SearchedTexts {
  /** Empty for records without a title. */
  title: string;
  text: string;
}

/** The position of a place; words beyond the last position have the last one. */
export const POSITION_BITS = 0x3fff;
/** Set in places in the title: Postgres' label A. */
export const TITLE = 3 << 14;
/** Maximum number of places of a lexeme; further occurrences are not stored. */
export const MAX_PLACES = 255;
/** Positions left free between title and text, so that no phrase spans both. */
const GAP = 8;

/** The language of shorter texts is often wrong. */
const SURE_LENGTH = 100;

/** Leaves out the words that a reader of records does not need. */
export interface TermFilter {
  /** Whether any of the lexemes of a term in texts of the default languages is needed. */
  isNeeded(lexemes: readonly Lexeme[]): boolean;
  /** By number of a term: whether it is needed, of terms in the generation. Filled by `readRecord`. */
  readonly known: Uint8Array;
  generation: number;
}

const NEEDED = 1;
const NOT_NEEDED = 2;

const found: Lexeme[] = [];
let record = 0;

/**
 * The distinct lexemes of a record with their places: positions from 1 on, and whether they are in the title. The result
 * and the places are valid until the next call. `detected` is the text's language, as BCP 47 or `und`. With a filter,
 * lexemes that it does not need may be left out.
 */
export function readRecord(
  { title, text }: SearchedTexts,
  detected: string,
  filter?: TermFilter,
): readonly Lexeme[] {
  const used = hasDefaultStems(detected) ? filter : undefined;
  const language = languageToStem(detected, title.length + text.length);
  record += 1;
  found.length = 0;
  let next = 1;
  if (title !== '') {
    next = SCANNER.scan(title) + GAP;
    addTokens(language, TITLE, used);
  }
  SCANNER.scan(text, next);
  addTokens(language, 0, used);
  return found;
}

/** The language by which words are stemmed in a record whose texts have this length together. */
export const languageToStem = (detected: string, length: number): string =>
  length < SURE_LENGTH ? detected + UNSURE : detected;

function addTokens(language: string, label: number, filter: TermFilter | undefined): void {
  const { count, terms, positions } = SCANNER.tokens;
  if (filter !== undefined && filter.generation !== SCANNER.terms.generation) {
    filter.known.fill(0);
    filter.generation = SCANNER.terms.generation;
  }
  for (let token = 0; token < count; token += 1) {
    const term = terms[token]!;
    if (filter !== undefined && isLeftOut(term, language, filter)) continue;
    const position = positions[token]!;
    const place = (position < POSITION_BITS ? position : POSITION_BITS) | label;
    const lexemes = lexemesOf(term, language, SCANNER.terms);
    for (let index = 0; index < lexemes.length; index += 1) {
      const lexeme = lexemes[index]!;
      if (lexeme.record === record) addPlace(lexeme, place);
      else {
        lexeme.record = record;
        lexeme.places[0] = place;
        lexeme.count = 1;
        found.push(lexeme);
      }
    }
  }
}

/** Terms beyond the room of the filter are not left out. */
function isLeftOut(term: Term, language: string, filter: TermFilter): boolean {
  const { known } = filter;
  if (known[term.id] === 0)
    known[term.id] = filter.isNeeded(lexemesOf(term, language, SCANNER.terms)) ? NEEDED : NOT_NEEDED;
  return known[term.id] === NOT_NEEDED;
}

/** Adds a place unless its position is among the places. Other spellings of a word can follow words after it. */
function addPlace(lexeme: Lexeme, place: number): void {
  const { places, count } = lexeme;
  if (count === MAX_PLACES) return;
  const position = place & POSITION_BITS;
  let at = count;
  while (at > 0 && (places[at - 1]! & POSITION_BITS) > position) at -= 1;
  if (at > 0 && (places[at - 1]! & POSITION_BITS) === position) return;
  for (let index = count; index > at; index -= 1) places[index] = places[index - 1]!;
  places[at] = place;
  lexeme.count = count + 1;
}
