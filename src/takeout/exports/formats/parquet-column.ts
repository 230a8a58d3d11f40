import type { ColumnChunk, PageHeader, ParquetType } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer/src/bytewriter.js';
import { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import { writeRleBitPackedHybrid } from 'hyparquet-writer/src/encoding.js';
import type { ExportedField, ExportedValue } from '../exported-table.js';
import type { PageCompression } from './compression.js';
import { type ColumnValues, columnValues } from './parquet-values.js';

/**
 * Collects a column of a row group and writes it as a Parquet column chunk with one data page. Texts use a dictionary
 * when values repeat; everything else uses the plain encoding. The same values give the same bytes.
 */
export class ParquetColumn {
  private readonly values: ColumnValues;
  private readonly maxDefinition: number;
  private rows = 0;
  /** Repetition and definition levels of the entries; used only for lists and nullable columns. */
  private repetition: number[] = [];
  private definition: number[] = [];

  constructor(
    private readonly field: ExportedField,
    private readonly type: ParquetType,
    private readonly compression: PageCompression,
  ) {
    this.values = columnValues(type);
    this.maxDefinition = Number(field.isArray) + Number(field.isNullable);
  }

  /**
   * Adds the value of the next row. Lists are split into their elements; nulls add no value. Throws for a null in a
   * column that is not nullable.
   */
  add(value: ExportedValue): void {
    this.rows += 1;
    if (value === null) {
      if (!this.field.isNullable) throw new Error(`${this.field.name} is null in a column without nulls`);
      this.addLevels(0, 0);
    } else if (!Array.isArray(value)) {
      this.values.add(value);
      if (this.maxDefinition > 0) this.addLevels(0, this.maxDefinition);
    } else if (value.length === 0) this.addLevels(0, this.maxDefinition - 1);
    else
      for (let index = 0; index < value.length; index++) {
        this.values.add(value[index]!);
        this.addLevels(index === 0 ? 0 : 1, this.maxDefinition);
      }
  }

  /** Appends a chunk with the values added since the last call, and returns its metadata. */
  write(output: ByteWriter): ColumnChunk {
    const start = output.offset;
    const levels = new ByteWriter();
    const repetitionBytes = this.field.isArray ? writeRleBitPackedHybrid(levels, this.repetition, 1) : 0;
    const definitionBytes =
      this.maxDefinition > 0
        ? writeRleBitPackedHybrid(levels, this.definition, this.maxDefinition > 1 ? 2 : 1)
        : 0;
    const { rows } = this;
    const { count } = this.values;
    const entries = Math.max(count, this.definition.length);
    const { dictionary, body, statistics } = this.values.take();
    let dictionaryOffset: bigint | undefined;
    let uncompressed = 0;
    if (dictionary !== null) {
      dictionaryOffset = BigInt(output.offset);
      uncompressed += this.writePage(output, dictionary.bytes, null, (sizes) => ({
        type: 'DICTIONARY_PAGE',
        ...sizes,
        dictionary_page_header: { num_values: dictionary.count, encoding: 'PLAIN' },
      }));
    }
    const dataOffset = BigInt(output.offset);
    uncompressed += this.writePage(output, body, levels, (sizes) => ({
      type: 'DATA_PAGE_V2',
      ...sizes,
      data_page_header_v2: {
        num_values: entries,
        num_nulls: entries - count,
        num_rows: rows,
        encoding: dictionary === null ? 'PLAIN' : 'RLE_DICTIONARY',
        definition_levels_byte_length: definitionBytes,
        repetition_levels_byte_length: repetitionBytes,
        is_compressed: true,
      },
    }));
    this.rows = 0;
    this.repetition = [];
    this.definition = [];
    return {
      file_offset: BigInt(start),
      meta_data: {
        type: this.type,
        encodings: dictionary === null ? ['PLAIN', 'RLE'] : ['PLAIN', 'RLE', 'RLE_DICTIONARY'],
        path_in_schema: this.field.isArray ? [this.field.name, 'list', 'element'] : [this.field.name],
        codec: this.compression.codec,
        num_values: BigInt(entries),
        total_compressed_size: BigInt(output.offset - start),
        total_uncompressed_size: BigInt(uncompressed),
        data_page_offset: dataOffset,
        ...(dictionaryOffset !== undefined && { dictionary_page_offset: dictionaryOffset }),
        ...(this.type !== 'BYTE_ARRAY' && {
          statistics: { null_count: BigInt(entries - count), ...statistics },
        }),
      },
    };
  }

  private addLevels(repetition: number, definition: number): void {
    if (this.field.isArray) this.repetition.push(repetition);
    this.definition.push(definition);
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
}
