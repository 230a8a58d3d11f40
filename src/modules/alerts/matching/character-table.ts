import { classOf, foldCodePoint, type CharacterClass } from './fold.js';

/** Not classified yet. */
const UNKNOWN = 0;
/** Folds to nothing. */
export const DROPPED = 6;
/** Folds to several characters, or is half of a surrogate pair: see {@link foldedCharacters}. */
export const COMPLEX = 7;

const classes = new Uint8Array(65_536);
const folded = new Uint16Array(65_536);
const complex = new Map<number, readonly FoldedCharacter[]>();
/** Far more than the complex characters of real texts; bounds the memory that hostile texts can use. */
const MAX_COMPLEX = 20_000;

/** A character that another one folds to. */
export interface FoldedCharacter {
  class: CharacterClass;
  /** One or two UTF-16 code units. */
  units: readonly number[];
}

/** Folded code unit of every code unit whose class is neither DROPPED nor COMPLEX. Filled by {@link unitClass}. */
export const FOLDED_UNITS: Readonly<Uint16Array> = folded;

/** The class of a UTF-16 code unit after folding. */
export function unitClass(unit: number): number {
  const known = classes[unit]!;
  return known === UNKNOWN ? learn(unit) : known;
}

/** The characters that a code point of class COMPLEX folds to, in order. */
export function foldedCharacters(codePoint: number): readonly FoldedCharacter[] {
  const known = complex.get(codePoint);
  if (known) return known;
  const characters = [...foldCodePoint(String.fromCodePoint(codePoint))].map((character) => ({
    class: classOf(character),
    units: Array.from({ length: character.length }, (_, i) => character.charCodeAt(i)),
  }));
  if (complex.size < MAX_COMPLEX) complex.set(codePoint, characters);
  return characters;
}

function learn(unit: number): number {
  const isSurrogate = unit >= 0xd800 && unit <= 0xdfff;
  const text = isSurrogate ? '' : foldCodePoint(String.fromCharCode(unit));
  if (isSurrogate || text.length > 1) classes[unit] = COMPLEX;
  else if (text === '') classes[unit] = DROPPED;
  else {
    classes[unit] = classOf(text);
    folded[unit] = text.charCodeAt(0);
  }
  return classes[unit];
}
