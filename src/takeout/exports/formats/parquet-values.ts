import type { ParquetType, Statistics } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer/src/bytewriter.js';
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js';
import type { ExportedValue } from '../exported-table.js';

/** Number of texts after which the encoder first decides whether a dictionary is worthwhile. */
const SAMPLE = 500;
/** Largest ratio of distinct texts to all texts at which a dictionary is written. */
const MAX_DISTINCT = 0.5;
const UINT32 = 2 ** 32;
const FIRST_BYTES = 1 << 12;

/** A value that is not a list. */
export type Scalar = Exclude<ExportedValue, string[] | null>;

/** The encoded pages of a column; the bytes are valid until the next value is added. */
export interface EncodedValues {
  /**
   * Distinct texts in the order of their indexes; `body` then contains indexes. Null when values are written as they
   * are.
   */
  dictionary: { bytes: Uint8Array; count: number } | null;
  body: Uint8Array;
  /** Minimum and maximum; omitted for texts, for which they would not let a reader skip row groups. */
  statistics: Statistics;
}

/**
 * The values of one column of a row group. Values are encoded as they are added: keeping them until the row group is
 * complete costs a quarter of an export's time in garbage collection.
 */
export interface ColumnValues {
  readonly count: number;
  add(value: Scalar): void;
  /** Returns what was added since the last call. */
  take(): EncodedValues;
}

/** Creates an encoder for the values of a column of this type. */
export function columnValues(type: ParquetType): ColumnValues {
  switch (type) {
    case 'BYTE_ARRAY':
      return new Texts();
    case 'BOOLEAN':
      return new Booleans();
    case 'INT32':
      return new Numbers(4, (bytes, value, at) => bytes.writeInt32LE(value, at), asNumbers);
    case 'DOUBLE':
      return new Numbers(8, (bytes, value, at) => bytes.writeDoubleLE(value, at), asNumbers);
    default:
      return new Numbers(8, writeInt64, (least, greatest) => ({
        min_value: BigInt(least),
        max_value: BigInt(greatest),
      }));
  }
}

/** Numbers, and times in microseconds; all integers are safe integers. */
class Numbers implements ColumnValues {
  count = 0;
  private bytes: Buffer = Buffer.allocUnsafe(FIRST_BYTES);
  private least = Infinity;
  private greatest = -Infinity;

  constructor(
    private readonly size: number,
    private readonly write: (bytes: Buffer, value: number, at: number) => void,
    private readonly extremes: (least: number, greatest: number) => Statistics,
  ) {}

  add(value: Scalar): void {
    const number = value instanceof Date ? value.getTime() * 1_000 : (value as number);
    const at = this.count * this.size;
    if (at + this.size > this.bytes.length) this.bytes = grown(this.bytes, at, at + this.size);
    this.write(this.bytes, number, at);
    if (number < this.least) this.least = number;
    if (number > this.greatest) this.greatest = number;
    this.count += 1;
  }

  take(): EncodedValues {
    const statistics = this.count === 0 ? {} : this.extremes(this.least, this.greatest);
    const body = this.bytes.subarray(0, this.count * this.size);
    this.count = 0;
    this.least = Infinity;
    this.greatest = -Infinity;
    return { dictionary: null, body, statistics };
  }
}

// 0 and -0 compare as equal and either may occur, so the bounds include both.
const asNumbers = (least: number, greatest: number): Statistics => ({
  min_value: least === 0 ? -0 : least,
  max_value: greatest === 0 ? 0 : greatest,
});

function writeInt64(bytes: Buffer, value: number, at: number): void {
  const high = Math.floor(value / UINT32);
  bytes.writeUInt32LE(value - high * UINT32, at);
  bytes.writeInt32LE(high, at + 4);
}

/** Bit-packed, eight values per byte. */
class Booleans implements ColumnValues {
  private values: boolean[] = [];

  get count(): number {
    return this.values.length;
  }

  add(value: Scalar): void {
    this.values.push(value as boolean);
  }

  take(): EncodedValues {
    const { values } = this;
    this.values = [];
    const body = new Uint8Array(Math.ceil(values.length / 8));
    for (let index = 0; index < values.length; index++)
      if (values[index] === true) body[index >>> 3]! |= 1 << (index & 7);
    const statistics =
      values.length === 0 ? {} : { min_value: !values.includes(false), max_value: values.includes(true) };
    return { dictionary: null, body, statistics };
  }
}

/** Encodes texts as indexes into a dictionary while enough of them repeat, and otherwise as they are. */
class Texts implements ColumnValues {
  count = 0;
  /** The index of each distinct text; null once texts are written as they are. */
  private dictionary: Map<string, number> | null = new Map();
  private indexes: number[] = [];
  private readonly plain = new TextBytes();

  add(value: Scalar): void {
    const text = value as string;
    this.count += 1;
    if (this.dictionary === null) {
      this.plain.append(text);
      return;
    }
    let index = this.dictionary.get(text);
    if (index === undefined) {
      index = this.dictionary.size;
      this.dictionary.set(text, index);
    }
    this.indexes.push(index);
    if (this.count === SAMPLE && this.isTooVaried()) this.writeOut(this.dictionary);
  }

  take(): EncodedValues {
    if (this.dictionary !== null && (this.count === 0 || this.isTooVaried())) this.writeOut(this.dictionary);
    const { dictionary, indexes } = this;
    this.count = 0;
    this.dictionary = new Map();
    this.indexes = [];
    if (dictionary === null) return { dictionary: null, body: this.plain.take(), statistics: {} };
    for (const text of dictionary.keys()) this.plain.append(text);
    return {
      dictionary: { bytes: this.plain.take(), count: dictionary.size },
      body: encodedIndexes(indexes, dictionary.size),
      statistics: {},
    };
  }

  private isTooVaried(): boolean {
    return this.dictionary!.size > MAX_DISTINCT * this.count;
  }

  private writeOut(dictionary: ReadonlyMap<string, number>): void {
    const texts = [...dictionary.keys()];
    for (const index of this.indexes) this.plain.append(texts[index]!);
    this.dictionary = null;
    this.indexes = [];
  }
}

/** Texts one after another, each preceded by its length in bytes. */
class TextBytes {
  private bytes: Buffer = Buffer.allocUnsafe(FIRST_BYTES);
  private at = 0;

  append(text: string): void {
    // A UTF-16 unit takes at most three bytes in UTF-8.
    const end = this.at + 4 + 3 * text.length;
    if (end > this.bytes.length) this.bytes = grown(this.bytes, this.at, end);
    const length = this.bytes.write(text, this.at + 4, 'utf8');
    this.bytes.writeUInt32LE(length, this.at);
    this.at += 4 + length;
  }

  take(): Uint8Array {
    const taken = this.bytes.subarray(0, this.at);
    this.at = 0;
    return taken;
  }
}

/** Returns a larger buffer that starts with the first `used` bytes and has room for `needed`. */
function grown(bytes: Buffer, used: number, needed: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.max(2 * bytes.length, needed));
  bytes.copy(larger, 0, 0, used);
  return larger;
}

/** Encodes the bit width of an index, then the indexes. */
function encodedIndexes(indexes: readonly number[], distinct: number): Uint8Array {
  const writer = new ByteWriter();
  const width = Math.ceil(Math.log2(distinct));
  writer.appendUint8(width);
  writeRleBitPackedHybrid(writer, indexes as number[], width);
  return writer.getBytes();
}
