import type { CompressionCodec, SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { ExportedField, ExportedRow, ExportedValue } from '../exported-table.js';
import { type Compression, PAGE_COMPRESSORS } from './compression.js';
import type { ExportFormatDefinition, FileEncoder } from './file-encoder.js';

type ElementType = Required<Pick<SchemaElement, 'type'>> &
  Pick<SchemaElement, 'converted_type' | 'logical_type'>;

const TEXT: ElementType = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } };

/** The Parquet type of each Postgres column type. */
const PARQUET_TYPES: Record<string, ElementType> = {
  // Exported as text with their prefix.
  uuid: TEXT,
  text: TEXT,
  integer: { type: 'INT32' },
  bigint: { type: 'INT64' },
  'double precision': { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  timestamptz: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MICROS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
  },
};

const CODECS: Record<Compression, CompressionCodec> = { gzip: 'GZIP', zstd: 'ZSTD' };

/** Limits of a row group, which is kept in memory and encoded without yielding to the event loop. */
const ROW_GROUP = { rows: 1_000, characters: 512 * 1_024 };

/**
 * Encodes Parquet with typed columns: times in microseconds UTC, lists as lists. Pages are compressed with Snappy by
 * default.
 */
export class ParquetEncoder implements FileEncoder {
  private readonly output = new ByteWriter();
  private readonly file: ParquetWriter;
  private readonly columns: { field: ExportedField; isText: boolean; values: ExportedValue[] }[];
  private characters = 0;

  constructor(
    fields: readonly ExportedField[],
    compression: Compression | null,
    private readonly limits: { rows: number; characters: number } = ROW_GROUP,
  ) {
    const codec = compression === null ? 'SNAPPY' : CODECS[compression];
    this.file = new ParquetWriter({
      writer: this.output,
      schema: schemaOf(fields),
      codec,
      compressors: PAGE_COMPRESSORS,
      createdBy: 'workspace-scraping-service',
    });
    this.columns = fields.map((field) => ({ field, isText: PARQUET_TYPES[field.type] === TEXT, values: [] }));
  }

  write(rows: readonly ExportedRow[]): Uint8Array {
    const groups: Uint8Array[] = [];
    for (const row of rows) {
      this.columns.forEach(({ field, isText, values }, at) => {
        const value = row[at]!;
        if (value === null && !field.isNullable)
          throw new Error(`${field.name} is null in a column without nulls`);
        values.push(value);
        if (isText && typeof value === 'string') this.characters += value.length;
      });
      if (this.rows < this.limits.rows && this.characters < this.limits.characters) continue;
      this.writeGroup();
      groups.push(this.take());
    }
    return Buffer.concat(groups);
  }

  end(): Uint8Array {
    if (this.rows > 0) this.writeGroup();
    void this.file.finish();
    return this.take();
  }

  private get rows(): number {
    return this.columns[0]!.values.length;
  }

  private writeGroup(): void {
    void this.file.write({
      columnData: this.columns.map(({ field, isText, values }) => ({
        name: field.name,
        data: field.type === 'bigint' ? values.map(asBigInt) : values,
        // Bounds of texts would not let a reader skip row groups.
        statistics: !isText,
      })),
      rowGroupSize: this.rows,
    });
    for (const column of this.columns) column.values = [];
    this.characters = 0;
  }

  /** Returns a copy of the bytes written since the last call, because the buffer is reused. */
  private take(): Uint8Array {
    const bytes = Buffer.from(this.output.getBytes());
    this.output.index = 0;
    return bytes;
  }
}

const asBigInt = (value: ExportedValue): bigint | null => (value === null ? null : BigInt(value as number));

/** Parquet. */
export const PARQUET: ExportFormatDefinition = {
  name: 'parquet',
  title: 'Parquet (data frames)',
  contentType: 'application/vnd.apache.parquet',
  schemaOf: () => ({ type: 'string', format: 'binary' }),
  compressesItself: true,
  createEncoder: ({ fields }, { compression = null }) => new ParquetEncoder(fields, compression),
};

function schemaOf(fields: readonly ExportedField[]): SchemaElement[] {
  return [{ name: 'root', num_children: fields.length }, ...fields.flatMap(elementsOf)];
}

function elementsOf({ name, type, isArray, isNullable }: ExportedField): SchemaElement[] {
  const element = PARQUET_TYPES[type];
  if (element === undefined) throw new Error(`No Parquet type for a column of type ${type}`);
  const repetition = isNullable ? 'OPTIONAL' : 'REQUIRED';
  if (!isArray) return [{ name, repetition_type: repetition, ...element }];
  return [
    {
      name,
      repetition_type: repetition,
      num_children: 1,
      converted_type: 'LIST',
      logical_type: { type: 'LIST' },
    },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', repetition_type: 'REQUIRED', ...element },
  ];
}
