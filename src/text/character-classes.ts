import { normalized } from '../common/strings.js';
/**
 * How the analyzer sees characters: their class, and what they are folded to. Case, accents of Latin and Greek, width,
 * ligatures and invisible characters are folded away; digits of all scripts are those of ASCII with the same value.
 * Marks that form another letter (й, Indic vowels, Japanese voicing) stay.
 */

/** White space and punctuation without a meaning for words. */
export const SEPARATOR = 1;
/** Letters, digits and marks of scripts with spaces between words. */
export const WORD = 2;
/** Characters of scripts without spaces, which are indexed by pairs. */
export const PAIRED = 3;
/** Accents and invisible characters, which fold to nothing. */
export const DROPPED = 4;
/** Punctuation that may belong to a word: `SYMBOLS` by folded character. */
export const SYMBOL = 5;
/** Emoji and other pictographs, each a word. */
export const PICTURE = 6;
/** Half of a surrogate pair: see {@link classOfCodePoint}. */
export const SURROGATE = 7;

const ASCII = 0x80;
const FIRST_SURROGATE = 0xd800;
const LAST_SURROGATE = 0xdfff;

/** Accents of Latin and Greek, Hebrew and Arabic vowel points, variation selectors, skin tones. */
const ACCENT_RANGES = [
  [0x0300, 0x036f],
  [0x0591, 0x05bd],
  [0x05bf, 0x05bf],
  [0x05c1, 0x05c2],
  [0x05c4, 0x05c5],
  [0x05c7, 0x05c7],
  [0x0610, 0x061a],
  [0x0640, 0x0640],
  [0x064b, 0x065f],
  [0x0670, 0x0670],
  [0x1ab0, 0x1aff],
  [0x1dc0, 0x1dff],
  [0x20d0, 0x20ff],
  [0xfe00, 0xfe0f],
  [0xfe20, 0xfe2f],
  [0x1f3fb, 0x1f3ff],
  [0xe0100, 0xe01ef],
] as const;

/**
 * Letters that Unicode does not decompose although readers equate them with others. Those of Arabic, Persian and Urdu
 * are the ones that Lucene's Arabic and Persian normalisers equate.
 */
const EQUAL_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŧ: 't',
  ς: 'σ',
  ё: 'е',
  ى: 'ي',
  ی: 'ي',
  ے: 'ي',
  ک: 'ك',
  ہ: 'ه',
  ە: 'ه',
  ة: 'ه',
  ۃ: 'ه',
};

/** Punctuation that may belong to a word, and characters that look like it besides those of another width. */
const SYMBOLS = new Map(
  Object.entries({
    "'": "'‘’ʼ′`´",
    '-': '-‐‑‒–−⁃',
    '.': '.٫',
    ',': ',٬',
    _: '_',
    '&': '&',
    '#': '#',
    '@': '@',
    '+': '+',
    '%': '%٪',
    $: '$',
    '€': '€',
    '£': '£',
    '¥': '¥',
    '\\': '\\',
    '<': '<',
  }).flatMap(([symbol, all]) => [...all].map((one) => [one, symbol] as const)),
);

const INVISIBLE = /^\p{Cf}$/u;
const LETTER = /^[\p{L}\p{N}\p{M}]$/u;
const DIGIT = /^\p{Nd}$/u;
const UNSPACED =
  /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]$/u;
const PICTOGRAPH = /^[\p{Extended_Pictographic}\p{RI}]$/u;
/** Pictographs by Unicode that are signs of plain text. */
const SIGNS = /^[©®™‼⁉〰〽㊗㊙ℹ]$/u;
const CYRILLIC = /^\p{Script=Cyrillic}$/u;

const classes = new Uint8Array(0x10000);
const folded: string[] = [];
const beyond = new Map<number, { kind: number; fold: string }>();
/** More than the characters of any text that people write; bounds the memory that hostile texts can use. */
const MAX_BEYOND = 20_000;

/** The class of a UTF-16 code unit. */
export function classOf(unit: number): number {
  return classes[unit]! || learn(unit);
}

/** The class of a code point, also beyond the first plane. */
export const classOfCodePoint = (codePoint: number): number =>
  codePoint < 0x10000 ? classOf(codePoint) : characterBeyond(codePoint).kind;

/** What a code point is folded to: letters in lower case, or the symbol that it looks like. */
export function foldOf(codePoint: number): string {
  if (codePoint >= 0x10000) return characterBeyond(codePoint).fold;
  classOf(codePoint);
  return folded[codePoint]!;
}

/** Whether a code unit is a letter or digit of ASCII, by unit. */
export const IS_ASCII_WORD = new Uint8Array(ASCII);
/** ASCII code units in lower case. */
export const ASCII_LOWER = new Uint8Array(ASCII);
for (let unit = 0; unit < ASCII; unit += 1) {
  IS_ASCII_WORD[unit] = Number(/[a-z0-9]/i.test(String.fromCharCode(unit)));
  ASCII_LOWER[unit] = String.fromCharCode(unit).toLowerCase().charCodeAt(0);
}

/**
 * The folded form of a word: every character folded, and marks composed with the letter before where Unicode has a
 * character for both.
 */
export function foldWord(raw: string): string {
  let form = '';
  for (const character of normalized(raw)) form += foldOf(character.codePointAt(0)!);
  return normalized(form);
}

/** The word in lower case with its accents, without invisible characters. */
export function lowerWord(raw: string): string {
  let form = '';
  for (const character of normalized(raw, 'NFKC')) if (!INVISIBLE.test(character)) form += character;
  return form.toLowerCase().replace(/ё/g, 'е');
}

function characterBeyond(codePoint: number): { kind: number; fold: string } {
  const known = beyond.get(codePoint);
  if (known !== undefined) return known;
  const character = describe(String.fromCodePoint(codePoint));
  if (beyond.size < MAX_BEYOND) beyond.set(codePoint, character);
  return character;
}

function learn(unit: number): number {
  const isSurrogate = unit >= FIRST_SURROGATE && unit <= LAST_SURROGATE;
  const { kind, fold } = isSurrogate ? { kind: SURROGATE, fold: '' } : describe(String.fromCharCode(unit));
  folded[unit] = fold;
  classes[unit] = kind;
  return kind;
}

function describe(character: string): { kind: number; fold: string } {
  const symbol = SYMBOLS.get(character) ?? SYMBOLS.get(normalized(character, 'NFKC'));
  if (symbol !== undefined) return { kind: SYMBOL, fold: symbol };
  if (SIGNS.test(character)) return { kind: SEPARATOR, fold: ' ' };
  if (INVISIBLE.test(character)) return { kind: DROPPED, fold: '' };
  const fold = foldCharacter(character);
  if (fold === '') return { kind: DROPPED, fold };
  const [first] = fold;
  if (PICTOGRAPH.test(first!)) return { kind: PICTURE, fold };
  if (!LETTER.test(first!)) return { kind: SEPARATOR, fold: ' ' };
  return { kind: UNSPACED.test(first!) ? PAIRED : WORD, fold };
}

function foldCharacter(character: string): string {
  if (CYRILLIC.test(character)) return equal(character.toLowerCase());
  const parts = [...normalized(character, 'NFKD')].filter((part) => !isAccent(part.codePointAt(0)!));
  return normalized([...parts.join('').toLowerCase()].map(equal).join(''));
}

const equal = (letter: string): string =>
  EQUAL_LETTERS[letter] ?? (DIGIT.test(letter) ? String(valueOf(letter.codePointAt(0)!)) : letter);

/** The value of a decimal digit: Unicode has the ten digits of a script one after the other. */
function valueOf(digit: number): number {
  let before = 0;
  while (DIGIT.test(String.fromCodePoint(digit - before - 1))) before += 1;
  return before % 10;
}

const isAccent = (codePoint: number): boolean =>
  ACCENT_RANGES.some(([first, last]) => codePoint >= first && codePoint <= last);
