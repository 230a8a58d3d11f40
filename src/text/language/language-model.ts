import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { addToHash, EMPTY_HASH, mixBits } from '../../common/hash.js';
import { MODEL_LANGUAGES } from './languages.js';
import { SPACE } from './letters.js';
import { scriptAt, SCRIPTS } from './scripts.js';

/** Longest character n-gram; a {@link SPACE} marks where a word begins and ends. */
const LONGEST_GRAM = 4;
/** Features read from a text. */
const MOST_FEATURES = 2_000;
/** Seed of the hash of a whole word, so that it differs from the n-gram of the same letters. */
const WHOLE = 0x1234567;
const STEPS = 127;
const MOST_CLASSES = 64;
/** Makes signed bytes positive. */
const OFFSET = 128;
/** Rows that are added up before a sum of bytes could exceed 16 bits. */
const ROWS_AT_ONCE = 256;
/** The first and third byte of a number. */
const EVEN_BYTES = 0x00ff00ff;
/** Halves with fewer features are not compared: about twenty letters. */
const FEATURES_OF_HALF = 80;
/** Probability from which the language of a half counts as certain. */
const CERTAIN = 0.95;

/** A script whose languages the model distinguishes. */
export type ModelScript = keyof typeof MODEL_LANGUAGES;
/** Scripts with a table, in the order of the file. */
export const MODEL_SCRIPTS = Object.keys(MODEL_LANGUAGES) as ModelScript[];
/** Logarithm of the number of slots of each script's table, to base 2. */
const SLOT_BITS: Readonly<Record<ModelScript, number>> = {
  Latin: 14,
  Cyrillic: 13,
  Arabic: 12,
  Devanagari: 11,
};

/** Number of slots of a script's table. */
export function slotsOf(script: ModelScript): number {
  return 1 << SLOT_BITS[script];
}

/** Weights of one script before quantisation: `slots` has a row for each slot with a value for each language. */
export interface ScriptWeights {
  slots: Float32Array;
  bias: Float32Array;
}

/** Weights of one script, in units of `step`. */
interface ScriptTable {
  languages: readonly string[];
  /** The rows of all slots. A row has four languages in each 32-bit number: their weights + {@link OFFSET}, as bytes. */
  rows: Int32Array;
  /** Numbers of a row. */
  width: number;
  bias: Float32Array;
  step: number;
}

/** A language and how likely it is. */
interface Classified {
  language: string;
  probability: number;
}

/**
 * Multinomial logistic regression over the hashed words and character n-grams of one script. File, compressed with
 * Brotli: for each script the step and a bias per language (float32), then the table of signed bytes.
 */
export class LanguageModel {
  private readonly tables: ReadonlyMap<number, ScriptTable>;
  private readonly features = new Int32Array(MOST_FEATURES);
  private readonly first = new Float64Array(MOST_CLASSES);
  private readonly second = new Float64Array(MOST_CLASSES);

  /** @throws Error when the file does not have the expected length */
  constructor(compressed: Buffer) {
    const file = brotliDecompressSync(compressed);
    const tables = new Map<number, ScriptTable>();
    let at = 0;
    for (const script of MODEL_SCRIPTS) {
      const languages = MODEL_LANGUAGES[script];
      const size = slotsOf(script) * languages.length;
      const floats = 1 + languages.length;
      if (file.length < at + floats * 4 + size) throw damaged(file.length);
      const numbers = Float32Array.from({ length: floats }, (_zero, index) =>
        file.readFloatLE(at + index * 4),
      );
      at += floats * 4;
      const slots = new Int8Array(file.buffer, file.byteOffset + at, size);
      tables.set(SCRIPTS[script], {
        languages,
        rows: packRows(slots, languages.length),
        width: widthOf(languages.length),
        bias: numbers.subarray(1),
        step: numbers[0]!,
      });
      at += size;
    }
    if (at !== file.length) throw damaged(file.length);
    this.tables = tables;
  }

  /**
   * The most likely language of the words of `script`, with its probability, which is 0 when two halves are certainly of
   * different languages; null when the script has no table.
   */
  classify(units: Uint16Array, length: number, script: number): Classified | null {
    const table = this.tables.get(script);
    if (!table) return null;
    const { features, first, second } = this;
    const { languages } = table;
    const mask = table.rows.length / table.width - 1;
    const count = collectFeatures(units, length, script, mask, features);
    const middle = count >> 1;
    sumRows(table, features, 0, middle, first);
    sumRows(table, features, middle, count, second);
    if (middle >= FEATURES_OF_HALF) {
      const [one, other] = [mostLikely(table, first, middle), mostLikely(table, second, count - middle)];
      const certain = Math.min(one.probability, other.probability) >= CERTAIN;
      if (certain && one.language !== other.language) return { language: one.language, probability: 0 };
    }
    for (let k = 0; k < languages.length; k++) first[k]! += second[k]!;
    return mostLikely(table, first, count);
  }
}

/** Numbers of a row for a number of languages. */
const widthOf = (classes: number): number => Math.ceil(classes / 4);

function packRows(slots: Int8Array, classes: number): Int32Array {
  const width = widthOf(classes);
  const rows = new Int32Array((slots.length / classes) * width);
  for (let at = 0; at < slots.length; at++) {
    const k = at % classes;
    rows[((at - k) / classes) * width + (k >> 2)]! |= (slots[at]! + OFFSET) << (8 * (k & 3));
  }
  return rows;
}

/**
 * Adds up the rows of the features from `from` to `to`. Two sums of 16 bits share a number, which takes a quarter of the
 * time of adding single weights; the sums are exact.
 */
function sumRows(
  { rows, width }: ScriptTable,
  features: Int32Array,
  from: number,
  to: number,
  sums: Float64Array,
): void {
  sums.fill(0);
  for (let first = from; first < to; first += ROWS_AT_ONCE) {
    const last = Math.min(first + ROWS_AT_ONCE, to);
    const offset = (last - first) * OFFSET;
    for (let column = 0; column < width; column++) {
      let even = 0;
      let odd = 0;
      for (let at = first; at < last; at++) {
        const weights = rows[features[at]! * width + column]!;
        even = (even + (weights & EVEN_BYTES)) | 0;
        odd = (odd + ((weights >>> 8) & EVEN_BYTES)) | 0;
      }
      const k = 4 * column;
      sums[k]! += (even & 0xffff) - offset;
      sums[k + 1]! += (odd & 0xffff) - offset;
      sums[k + 2]! += (even >>> 16) - offset;
      sums[k + 3]! += (odd >>> 16) - offset;
    }
  }
}

/** The language with the highest sum over `count` features, and its probability. */
function mostLikely({ languages, bias, step }: ScriptTable, sums: Float64Array, count: number): Classified {
  const scale = step / Math.sqrt(Math.max(1, count));
  const score = (k: number): number => sums[k]! * scale + bias[k]!;
  let best = 0;
  for (let k = 1; k < languages.length; k++) if (score(k) > score(best)) best = k;
  const top = score(best);
  let total = 0;
  for (let k = 0; k < languages.length; k++) total += Math.exp(score(k) - top);
  return { language: languages[best]!, probability: 1 / total };
}

/**
 * Writes the slots of all n-grams and words of one script to `features` and returns their number. `units` and `length`
 * are those of `readLetters`; `mask` is the number of slots minus 1.
 */
export function collectFeatures(
  units: Uint16Array,
  length: number,
  script: number,
  mask: number,
  features: Int32Array,
): number {
  let count = 0;
  let start = 1;
  for (let end = 1; end < length; end++) {
    if (units[end] !== SPACE) continue;
    const foreign = scriptAt(units[start]!) !== script;
    if (!foreign) count = addWord(units, start - 1, end, mask, features, count);
    start = end + 1;
  }
  return count;
}

/** Adds the features of the word framed by the spaces at `first` and `last`. */
function addWord(
  units: Uint16Array,
  first: number,
  last: number,
  mask: number,
  features: Int32Array,
  count: number,
): number {
  let whole = WHOLE;
  for (let from = first; from <= last; from++) {
    let hash = EMPTY_HASH;
    const longest = Math.min(LONGEST_GRAM, last - from + 1);
    for (let size = 1; size <= longest; size++) {
      hash = addToHash(hash, units[from + size - 1]!);
      // A space alone says nothing, and the word with both spaces is a feature of its own.
      const isSpace = size === 1 && (from === first || from === last);
      const isWhole = from === first && size === last - first + 1;
      if (!isSpace && !isWhole && count < features.length) features[count++] = mixBits(hash + size) & mask;
    }
    if (from > first && from < last) whole = addToHash(whole, units[from]!);
  }
  if (count < features.length) features[count++] = mixBits(whole) & mask;
  return count;
}

/** Writes trained weights in the form that {@link LanguageModel} reads. Larger weights than `largest` are limited. */
export function encodeLanguageModel(
  weights: Readonly<Record<ModelScript, ScriptWeights>>,
  largest: number,
): Buffer {
  const step = largest / STEPS;
  const parts = MODEL_SCRIPTS.flatMap((script) => {
    const { slots, bias } = weights[script];
    const numbers = Buffer.alloc((1 + bias.length) * 4);
    [step, ...bias].forEach((value, at) => numbers.writeFloatLE(value, at * 4));
    const bytes = Int8Array.from(slots, (value) =>
      Math.max(-STEPS, Math.min(STEPS, Math.round(value / step))),
    );
    return [numbers, Buffer.from(bytes.buffer)];
  });
  return brotliCompressSync(Buffer.concat(parts));
}

function damaged(length: number): Error {
  return new Error(`The language model is damaged: it has ${length} bytes, which is not the expected length`);
}
