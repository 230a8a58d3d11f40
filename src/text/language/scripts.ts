/** Writing systems that the detector distinguishes, in the order of their numbers, which begin at 1. */
const SCRIPT_NAMES = [
  'Latin',
  'Cyrillic',
  'Arabic',
  'Devanagari',
  'Han',
  'Kana',
  'Hangul',
  'Thai',
  'Greek',
  'Hebrew',
  'Bengali',
  'Tamil',
  'Telugu',
  'Gujarati',
  'Gurmukhi',
  'Kannada',
  'Malayalam',
  'Sinhala',
  'Georgian',
  'Armenian',
  'Khmer',
  'Lao',
  'Myanmar',
  'Ethiopic',
] as const;
/** Name of a writing system. */
export type Script = (typeof SCRIPT_NAMES)[number];

/** Number of each writing system in {@link scriptAt}. */
export const SCRIPTS = Object.fromEntries(SCRIPT_NAMES.map((name, at) => [name, at + 1])) as Record<
  Script,
  number
>;
/** Size of a table indexed by the numbers of {@link SCRIPTS}. */
export const SCRIPT_COUNT = SCRIPT_NAMES.length + 1;

/** Ranges of code units that contain letters of the scripts above; all others are skipped while the table is built. */
const RANGES: readonly (readonly [number, number])[] = [
  [0x41, 0x1fff],
  [0x2c60, 0x2dff],
  [0x3005, 0x30ff],
  [0xa640, 0xa8ff],
  [0xab01, 0xab6f],
  [0xfb00, 0xfefc],
  [0xff21, 0xff9f],
];
/** Blocks in which every unit belongs to one script. */
const BLOCKS: readonly (readonly [number, number, Script])[] = [
  [0x3400, 0x9fff, 'Han'],
  [0xac00, 0xd7a3, 'Hangul'],
  [0xf900, 0xfaff, 'Han'],
];

const UNITS = 0x10000;
const NUMBERS = scriptTable();
const LOWER = lowerTable();

/** Writing system of a UTF-16 code unit; 0 for digits, punctuation, symbols, surrogates and other scripts. */
export function scriptAt(unit: number): number {
  return NUMBERS[unit]!;
}

/** The code unit in lower case; unchanged where lower case has several units. */
export function lowered(unit: number): number {
  return LOWER[unit]!;
}

function scriptTable(): Uint8Array {
  const table = new Uint8Array(UNITS);
  const patterns = SCRIPT_NAMES.map((name) =>
    name === 'Kana' ? /[\p{Script=Hiragana}\p{Script=Katakana}ー]/u : new RegExp(`\\p{Script=${name}}`, 'u'),
  );
  for (const [first, last] of RANGES) {
    let recent = 0;
    for (let unit = first; unit <= last; unit++) {
      const char = String.fromCharCode(unit);
      // Neighbours usually share a script, so the one found last is tried first.
      if (!patterns[recent]!.test(char)) {
        const found = patterns.findIndex((pattern) => pattern.test(char));
        if (found < 0) continue;
        recent = found;
      }
      table[unit] = recent + 1;
    }
  }
  for (const [first, last, name] of BLOCKS) table.fill(SCRIPTS[name], first, last + 1);
  // Combining accents belong to the letter before; the ordinal signs of Spanish are no letters.
  table.fill(SCRIPTS.Latin, 0x300, 0x370);
  table[0xaa] = 0;
  table[0xba] = 0;
  return table;
}

function lowerTable(): Uint16Array {
  const table = Uint16Array.from({ length: UNITS }, (_zero, unit) => unit);
  for (let unit = 0x41; unit < 0x2000; unit++) {
    const lower = String.fromCharCode(unit).toLowerCase();
    if (lower.length === 1) table[unit] = lower.charCodeAt(0);
  }
  return table;
}
