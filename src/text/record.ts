import { lexemesOf, UNSURE } from './lexemes.js';
import { Reading, rememberReading, type SearchedTexts } from './reading.js';
import { UNDETERMINED } from './language/languages.js';
import { SCANNER } from './scanner.js';
import { hasDefaultStems } from './stems.js';
import type { Lexeme } from './term-table.js';

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

const found: Lexeme[] = [];
let record = 0;

/**
 * The distinct lexemes of a record with their places: positions from 1 on, and whether they are in the title. The result
 * and the places are valid until the next call. `detected` is the text's language, as BCP 47 or `und`.
 */
export function readRecord({ title, text }: SearchedTexts, detected: string): readonly Lexeme[] {
  const language = languageToStem(detected, title.length + text.length);
  record += 1;
  found.length = 0;
  const reading = new Reading(title);
  let next = 1;
  if (title !== '') {
    next = SCANNER.scan(title) + GAP;
    addTokens(language, TITLE);
    reading.addTokens();
  }
  SCANNER.scan(text, next);
  addTokens(language, 0);
  if (reading.addTokens()) rememberReading(text, reading);
  return found;
}

/** By language: the same as one that may be wrong. Kept, because equal strings are compared faster when they are one. */
const unsure = new Map<string, string>();

/**
 * The language by which words are stemmed in a record whose texts have this length together; the same for all languages
 * with the default stems, so that the lexemes of a term need not be looked up by language.
 */
export function languageToStem(detected: string, length: number): string {
  if (hasDefaultStems(detected)) return UNDETERMINED;
  if (length >= SURE_LENGTH) return detected;
  const known = unsure.get(detected) ?? detected + UNSURE;
  unsure.set(detected, known);
  return known;
}

function addTokens(language: string, label: number): void {
  const { count, terms, positions } = SCANNER.tokens;
  for (let token = 0; token < count; token += 1) {
    const term = terms[token]!;
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
