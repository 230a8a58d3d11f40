import { MOST_OF_TERM, withRoom } from './lexeme-table.js';
import { UNSURE } from './lexemes.js';
import { scanRecord, type SearchedTexts } from './reading.js';
import { UNDETERMINED } from './language/languages.js';
import { SCANNER } from './scanner.js';
import { hasDefaultStems } from './stems.js';

/** The position of a place; words beyond the last position have the last one. */
export const POSITION_BITS = 0x3fff;
/** Set in places in the title: Postgres' label A. */
export const TITLE = 3 << 14;
/** Maximum number of places of a lexeme; further occurrences are not stored. */
export const MAX_PLACES = 255;
const NONE = -1;

/** The language of shorter texts is often wrong. */
const SURE_LENGTH = 100;

/**
 * The distinct lexemes of a record in the order in which they occur first, numbered from 0, with their places: positions
 * from 1 on, and whether they are in the title. Every lexeme has a list of places, of which each names the next.
 */
class RecordLexemes {
  /** Number of lexemes. */
  count = 0;
  /** By number: the lexeme in the scanner's table. */
  ids = new Int32Array();
  /** By number: how many places it has, the first and the last of them. */
  counts = new Uint8Array();
  firsts = new Int32Array();
  private lasts = new Int32Array();
  /** Places, and the place after each, or -1. */
  places = new Uint16Array();
  nexts = new Int32Array();
  private placesEnd = 0;

  clear(): void {
    this.count = 0;
    this.placesEnd = 0;
  }

  /** Adds what the scanner read last, in a language; `label` is part of every place. */
  addTokens(language: string, label: number): void {
    const { count, ids, positions } = SCANNER.tokens;
    const table = SCANNER.terms.lexemes;
    const ofLanguage = table.of(language);
    this.reserve(count * MOST_OF_TERM);
    for (let token = 0; token < count; token += 1) {
      const position = positions[token]!;
      const place = (position < POSITION_BITS ? position : POSITION_BITS) | label;
      const list = table.listOf(ids[token]!, ofLanguage);
      const { numbers, slots } = table;
      const end = list + numbers[list]!;
      for (let at = list + 1; at <= end; at += 1) {
        const id = numbers[at]!;
        const number = slots[id]!;
        // A number that an earlier record left names no lexeme of this one, or another.
        if (number < this.count && this.ids[number] === id) this.addPlace(number, place);
        else {
          slots[id] = this.count;
          this.addLexeme(id, place);
        }
      }
    }
  }

  text(number: number): string {
    return SCANNER.terms.lexemes.text(this.ids[number]!);
  }

  /** The places of a lexeme, ascending. */
  placesOf(number: number): number[] {
    const all: number[] = [];
    for (let at = this.firsts[number]!; at !== NONE; at = this.nexts[at]!) all.push(this.places[at]!);
    return all;
  }

  private addLexeme(id: number, place: number): void {
    const number = this.count;
    this.ids[number] = id;
    this.counts[number] = 1;
    this.firsts[number] = this.lasts[number] = this.newPlace(place, NONE);
    this.count = number + 1;
  }

  /** Adds a place unless its position is among the places. Other spellings of a word can follow words after it. */
  private addPlace(number: number, place: number): void {
    if (this.counts[number] === MAX_PLACES) return;
    const position = place & POSITION_BITS;
    const last = this.lasts[number]!;
    if (this.positionOf(last) < position) this.lasts[number] = this.nexts[last] = this.newPlace(place, NONE);
    else {
      let before = NONE;
      let after = this.firsts[number]!;
      while (this.positionOf(after) < position) {
        before = after;
        after = this.nexts[after]!;
      }
      if (this.positionOf(after) === position) return;
      const added = this.newPlace(place, after);
      if (before === NONE) this.firsts[number] = added;
      else this.nexts[before] = added;
    }
    this.counts[number]! += 1;
  }

  private positionOf(at: number): number {
    return this.places[at]! & POSITION_BITS;
  }

  private newPlace(place: number, next: number): number {
    const at = this.placesEnd;
    this.places[at] = place;
    this.nexts[at] = next;
    this.placesEnd = at + 1;
    return at;
  }

  private reserve(added: number): void {
    this.ids = withRoom(this.ids, this.count + added);
    this.counts = withRoom(this.counts, this.count + added);
    this.firsts = withRoom(this.firsts, this.count + added);
    this.lasts = withRoom(this.lasts, this.count + added);
    this.places = withRoom(this.places, this.placesEnd + added);
    this.nexts = withRoom(this.nexts, this.placesEnd + added);
  }
}

const RECORD = new RecordLexemes();

/**
 * The lexemes of a record with their places, valid until the next call. `detected` is the text's language, as BCP 47 or
 * `und`.
 */
export function readRecord({ title, text }: SearchedTexts, detected: string): Readonly<RecordLexemes> {
  const language = languageToStem(detected, title.length + text.length);
  RECORD.clear();
  scanRecord({ title, text }, (isTitle) => {
    RECORD.addTokens(language, isTitle ? TITLE : 0);
  });
  return RECORD;
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
