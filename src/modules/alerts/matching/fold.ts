/**
 * Which letters count as equal: case, accents, width and ligatures are folded away. Marks that form a different letter
 * rather than an accent (Indic vowels, Japanese voicing) stay.
 */

/** Class of letters, digits and marks, which form words. */
export const WORD = 1;
/** Class of characters that are words without spaces around them: unspaced scripts and pictographs. */
export const FREE = 2;
/** Class of white space and control characters. */
export const SPACE = 3;
/** Class of all other characters. */
export const PUNCTUATION = 4;
/** Class of the hyphen, which separates words like white space. */
export const HYPHEN = 5;
/** Class of a folded character. */
export type CharacterClass = typeof WORD | typeof FREE | typeof SPACE | typeof PUNCTUATION | typeof HYPHEN;

/** Accents of Latin, Greek and Cyrillic, Hebrew and Arabic vowel points, variation selectors. */
const ACCENT_RANGES = [
  [0x0300, 0x036f],
  [0x0591, 0x05bd],
  [0x05bf, 0x05bf],
  [0x05c1, 0x05c2],
  [0x05c4, 0x05c5],
  [0x05c7, 0x05c7],
  [0x064b, 0x065f],
  [0x0670, 0x0670],
  [0x1ab0, 0x1aff],
  [0x1dc0, 0x1dff],
  [0x20d0, 0x20ff],
  [0xfe00, 0xfe0f],
  [0xfe20, 0xfe2f],
  [0xe0100, 0xe01ef],
] as const;

/** Letters that Unicode does not decompose although readers equate them with a base letter, and look-alike signs. */
const EQUALS: Record<string, string> = {
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
  '‘': "'",
  '’': "'",
  ʼ: "'",
  '′': "'",
  '“': '"',
  '”': '"',
  '‐': '-',
  '‒': '-',
  '–': '-',
  '−': '-',
  '⁃': '-',
  '\u200b': ' ',
};

const INVISIBLE = /^\p{Cf}$/u;
const WORD_CHARACTER = /^[\p{L}\p{N}\p{M}]$/u;
const UNSPACED_SCRIPT =
  /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]$/u;
const PICTOGRAPH = /^[\p{Extended_Pictographic}\p{RI}]$/u;
const BLANK = /^[\s\p{Z}\p{Cc}]$/u;

/** Composes decomposed characters of a text, so that {@link foldCodePoint} can be applied to each character. */
export function compose(text: string): string {
  // Text below U+0300 is already composed. Trade mark signs would become letters of the preceding word.
  return /[\u0300-\uffff]/.test(text) ? text.replace(/[™℠]/g, ' ').normalize('NFKC') : text;
}

/** The folded form of one code point: empty for invisible characters, several characters for ligatures and the like. */
export function foldCodePoint(character: string): string {
  const equal = EQUALS[character];
  if (equal !== undefined) return equal;
  if (INVISIBLE.test(character)) return '';
  const parts = [...character.normalize('NFKD')].filter((part) => !isAccent(part.codePointAt(0)!));
  return [...parts.join('').toLowerCase()]
    .map((part) => EQUALS[part] ?? part)
    .join('')
    .normalize('NFC');
}

/** The class of a folded code point. */
export function classOf(character: string): CharacterClass {
  if (character === '-') return HYPHEN;
  if (WORD_CHARACTER.test(character)) return UNSPACED_SCRIPT.test(character) ? FREE : WORD;
  if (BLANK.test(character)) return SPACE;
  return PICTOGRAPH.test(character) ? FREE : PUNCTUATION;
}

function isAccent(codePoint: number): boolean {
  return ACCENT_RANGES.some(([first, last]) => codePoint >= first && codePoint <= last);
}
