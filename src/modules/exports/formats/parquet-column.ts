import type { ColumnChunk, Encoding, PageHeader, ParquetType, SchemaElement, Statistics } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer/src/bytewriter.js';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js';
import type { ExportedField, ExportedValue } from '../exported-table.js';
import type { PageCompression } from './compression.js';

/** Values that are looked at to decide whether a dictionary is worth while. */
const SAMPLE = 500;
/** Distinct values for each value up to which a dictionary is written. */
const MAX_DISTINCT = 0.5;
const UINT32 = 2 ** 32;

type Scalar = Exclude<ExportedValue, string[] | null>;

/** The values of a column without nulls and lists, and the levels that say where those were. */
interface FlatColumn {
  values: Scalar[];
  repetition: number[];
  definition: number[];
  maxDefinition: number;
}

/**
 * Writes the columns of row groups as Parquet column chunks of one data page each: text with a dictionary where values repeat,
 * everything else plain. It encodes into one array that all chunks share, because a small array for each value took most of
 * the time of an export. The same values give the same bytes.
 */
export class ParquetColumnWriter {
  private scratch = Buffer.allocUnsafe(1 << 16);

  constructor(private readonly compression: PageCompression) {}

  /** Appends the chunk of a column and returns what the file's metadata says of it. */
  write(
    output: ByteWriter,
    field: ExportedField,
    { type, converted_type: converted }: Pick<SchemaElement, 'type' | 'converted_type'>,
    column: readonly ExportedValue[],
  ): ColumnChunk {
    const start = output.offset;
    const flat = flatten(field, column);
    const levels = new ByteWriter();
    const repetitionBytes = field.isArray ? writeRleBitPackedHybrid(levels, flat.repetition, 1) : 0;
    const definitionBytes =
      flat.maxDefinition > 0
        ? writeRleBitPackedHybrid(levels, flat.definition, flat.maxDefinition > 1 ? 2 : 1)
        : 0;
    const dictionary = type === 'BYTE_ARRAY' ? dictionaryOf(flat.values as string[]) : null;
    let dictionaryOffset: bigint | undefined;
    let uncompressed = 0;
    if (dictionary !== null) {
      dictionaryOffset = BigInt(output.offset);
      const values = [...dictionary.keys()];
      uncompressed += this.writePage(output, this.texts(values), null, (sizes) => ({
        type: 'DICTIONARY_PAGE',
        ...sizes,
        dictionary_page_header: { num_values: values.length, encoding: 'PLAIN' },
      }));
    }
    const encoding: Encoding = dictionary === null ? 'PLAIN' : 'RLE_DICTIONARY';
    const body =
      dictionary === null ? this.plain(type, flat.values) : indexesOf(flat.values as string[], dictionary);
    const dataOffset = BigInt(output.offset);
    const entries = Math.max(flat.values.length, flat.definition.length);
    uncompressed += this.writePage(output, body, levels, (sizes) => ({
      type: 'DATA_PAGE_V2',
      ...sizes,
      data_page_header_v2: {
        num_values: entries,
        num_nulls: entries - flat.values.length,
        num_rows: column.length,
        encoding,
        definition_levels_byte_length: definitionBytes,
        repetition_levels_byte_length: repetitionBytes,
        is_compressed: true,
      },
    }));
    return {
      file_offset: BigInt(start),
      meta_data: {
        type: type!,
        encodings: dictionary === null ? ['PLAIN', 'RLE'] : ['PLAIN', 'RLE', 'RLE_DICTIONARY'],
        path_in_schema: field.isArray ? [field.name, 'list', 'element'] : [field.name],
        codec: this.compression.codec,
        num_values: BigInt(entries),
        total_compressed_size: BigInt(output.offset - start),
        total_uncompressed_size: BigInt(uncompressed),
        data_page_offset: dataOffset,
        ...(dictionaryOffset !== undefined && { dictionary_page_offset: dictionaryOffset }),
        // The least and greatest text of a row group let no reader skip it.
        ...(converted !== 'UTF8' && { statistics: statisticsOf(type, flat.values, entries) }),
      },
    };
  }

  /** Appends a page and returns its uncompressed size. Levels are not compressed. */
  private writePage(
    output: ByteWriter,
    body: Uint8Array,
    levels: ByteWriter | null,
    headerOf: (sizes: { uncompressed_page_size: number; compressed_page_size: number }) => PageHeader,
  ): number {
    const start = output.offset;
    const levelBytes = levels?.offset ?? 0;
    const compressed = this.compression.compress(body);
    writePageHeader(
      output,
      headerOf({
        uncompressed_page_size: levelBytes + body.length,
        compressed_page_size: levelBytes + compressed.length,
      }),
    );
    const headerBytes = output.offset - start;
    if (levels !== null) output.appendBytes(levels.getBytes());
    output.appendBytes(compressed);
    return headerBytes + levelBytes + body.length;
  }

  /** The plain encoding; valid until the next call. */
  private plain(type: ParquetType | undefined, values: readonly Scalar[]): Uint8Array {
    switch (type) {
      case 'BYTE_ARRAY':
        return this.texts(values as readonly string[]);
      case 'BOOLEAN':
        return bits(values);
      case 'INT32':
        return this.numbers(values, 4, (at, value) => this.scratch.writeInt32LE(value as number, at));
      case 'DOUBLE':
        return this.numbers(values, 8, (at, value) => this.scratch.writeDoubleLE(value as number, at));
      default:
        return this.numbers(values, 8, (at, value) => {
          const whole = wholeOf(value);
          const high = Math.floor(whole / UINT32);
          this.scratch.writeUInt32LE(whole - high * UINT32, at);
          this.scratch.writeInt32LE(high, at + 4);
        });
    }
  }

  private numbers(
    values: readonly Scalar[],
    bytes: number,
    write: (at: number, value: Scalar) => void,
  ): Uint8Array {
    this.reserve(values.length * bytes);
    for (let index = 0; index < values.length; index++) write(index * bytes, values[index]!);
    return this.scratch.subarray(0, values.length * bytes);
  }

  /** Each text after its length in bytes. */
  private texts(values: readonly string[]): Uint8Array {
    let most = 0;
    // UTF-16 units have at most three bytes in UTF-8.
    for (const value of values) most += 4 + 3 * value.length;
    this.reserve(most);
    const { scratch } = this;
    let at = 0;
    for (const value of values) {
      const bytes = scratch.write(value, at + 4, 'utf8');
      scratch.writeUInt32LE(bytes, at);
      at += 4 + bytes;
    }
    return scratch.subarray(0, at);
  }

  private reserve(bytes: number): void {
    if (this.scratch.length < bytes) this.scratch = Buffer.allocUnsafe(2 * bytes);
  }
}

/** Lists become their elements, nulls nothing. A list's level says whether a row begins; a definition, what is there. */
function flatten({ isArray, isNullable }: ExportedField, column: readonly ExportedValue[]): FlatColumn {
  const maxDefinition = Number(isArray) + Number(isNullable);
  const flat: FlatColumn = { values: [], repetition: [], definition: [], maxDefinition };
  const { values, repetition, definition } = flat;
  if (maxDefinition === 0) return { ...flat, values: column as Scalar[] };
  for (const value of column) {
    if (value === null || !Array.isArray(value) || value.length === 0) {
      if (isArray) repetition.push(0);
      if (value !== null && !Array.isArray(value)) values.push(value);
      definition.push(value === null ? 0 : isArray ? maxDefinition - 1 : maxDefinition);
      continue;
    }
    for (let index = 0; index < value.length; index++) {
      values.push(value[index]!);
      repetition.push(index === 0 ? 0 : 1);
      definition.push(maxDefinition);
    }
  }
  return flat;
}

/** The distinct texts with their indexes; null when too few repeat. */
function dictionaryOf(values: readonly string[]): Map<string, number> | null {
  const step = Math.max(1, Math.floor(values.length / SAMPLE));
  const sample = new Set<string>();
  let sampled = 0;
  for (let index = 0; index < values.length; index += step, sampled += 1) sample.add(values[index]!);
  if (values.length === 0 || sample.size > MAX_DISTINCT * sampled) return null;
  const dictionary = new Map<string, number>();
  const most = MAX_DISTINCT * values.length;
  for (const value of values) {
    if (dictionary.has(value)) continue;
    if (dictionary.size >= most) return null;
    dictionary.set(value, dictionary.size);
  }
  return dictionary;
}

/** The width of an index in bits, then the indexes. */
function indexesOf(values: readonly string[], dictionary: ReadonlyMap<string, number>): Uint8Array {
  const writer = new ByteWriter();
  const width = Math.ceil(Math.log2(dictionary.size));
  writer.appendUint8(width);
  const indexes = values.map((value) => dictionary.get(value)!);
  writeRleBitPackedHybrid(writer, indexes, width);
  return writer.getBytes();
}

function bits(values: readonly Scalar[]): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(values.length / 8));
  for (let index = 0; index < values.length; index++)
    if (values[index] === true) bytes[index >>> 3]! |= 1 << (index & 7);
  return bytes;
}

/** A time in microseconds, another number as it is; both are safe integers. */
function wholeOf(value: Scalar): number {
  return value instanceof Date ? value.getTime() * 1_000 : (value as number);
}

function statisticsOf(type: ParquetType | undefined, values: readonly Scalar[], entries: number): Statistics {
  const nulls = { null_count: BigInt(entries - values.length) };
  if (values.length === 0) return nulls;
  let least = Infinity;
  let greatest = -Infinity;
  for (const value of values) {
    const number = Number(type === 'INT64' ? wholeOf(value) : value);
    if (number < least) least = number;
    if (number > greatest) greatest = number;
  }
  switch (type) {
    case 'INT64':
      return { ...nulls, min_value: BigInt(least), max_value: BigInt(greatest) };
    case 'BOOLEAN':
      return { ...nulls, min_value: least === 1, max_value: greatest === 1 };
    default:
      // Either zero can stand for both.
      return { ...nulls, min_value: least === 0 ? -0 : least, max_value: greatest === 0 ? 0 : greatest };
  }
}
