import type { SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { ExportedField, ExportedRecord, ExportedValue } from '../exported-table.js';
import { type Compression, parquetCompression } from './compression.js';
import type { FileEncoder } from './file-encoder.js';

/** Bounds of a row group, which is held in memory and encoded in one turn of the event loop. */
export interface RowGroupLimits {
  rows: number;
  /** Characters of all texts. */
  characters: number;
}

type ParquetType = Pick<SchemaElement, 'type' | 'converted_type' | 'logical_type'>;

const TEXT: ParquetType = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } };

/** The Parquet type of each type of column in Postgres. */
const PARQUET_TYPES: Record<string, ParquetType> = {
  // Shown with their prefix.
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

/** Parquet with typed columns: times in microseconds of UTC, lists as lists, pages compressed with Snappy unless asked otherwise. */
export class ParquetEncoder implements FileEncoder {
  private readonly output = new ByteWriter();
  private readonly file: ParquetWriter;
  private records: ExportedRecord[] = [];
  private characters = 0;

  constructor(
    private readonly fields: readonly ExportedField[],
    compression: Compression | null,
    private readonly limits: RowGroupLimits,
  ) {
    const schema = schemaOf(fields);
    this.file = new ParquetWriter({ writer: this.output, schema, ...parquetCompression(compression) });
  }

  write(records: readonly ExportedRecord[]): Uint8Array {
    const groups: Uint8Array[] = [];
    for (const record of records) {
      this.records.push(record);
      this.characters += charactersOf(record);
      if (this.records.length < this.limits.rows && this.characters < this.limits.characters) continue;
      this.writeGroup();
      groups.push(this.take());
    }
    return Buffer.concat(groups);
  }

  end(): Uint8Array {
    if (this.records.length > 0) this.writeGroup();
    void this.file.finish();
    return this.take();
  }

  private writeGroup(): void {
    const { records } = this;
    // Without a `flush` of the writer there is nothing to wait for.
    void this.file.write({
      columnData: this.fields.map(({ name, type }) => ({
        name,
        data: records.map((record) => parquetValue(record[name]!, type)),
        // The least and greatest text of a row group let no reader skip it.
        statistics: PARQUET_TYPES[type] !== TEXT,
      })),
      rowGroupSize: records.length,
    });
    this.records = [];
    this.characters = 0;
  }

  /** A copy of the bytes written since the last call, whose space is used again. */
  private take(): Uint8Array {
    const bytes = Buffer.from(this.output.getBytes());
    this.output.index = 0;
    return bytes;
  }
}

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

function parquetValue(value: ExportedValue, type: string): unknown {
  return type === 'bigint' ? BigInt(value as number) : value;
}

function charactersOf(record: ExportedRecord): number {
  let characters = 0;
  for (const name in record) {
    const value = record[name];
    if (typeof value === 'string') characters += value.length;
  }
  return characters;
}
