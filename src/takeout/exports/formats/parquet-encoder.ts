import type { RowGroup, SchemaElement } from 'hyparquet';
import { ByteWriter } from 'hyparquet-writer/src/bytewriter.js';
import { writeMetadata } from 'hyparquet-writer/src/metadata.js';
import type { ExportedField, ExportedRow } from '../exported-table.js';
import { type Compression, pageCompression } from './compression.js';
import type { ExportFormatDefinition, FileEncoder, RowGroupLimits } from './file-encoder.js';
import { ParquetColumn } from './parquet-column.js';

/** `PAR1`, at the start and the end of a file. */
const MAGIC = 0x31524150;

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

/**
 * Encodes Parquet with typed columns: times in microseconds UTC, lists as lists. Pages are compressed with Snappy by
 * default.
 */
export class ParquetEncoder implements FileEncoder {
  private readonly output = new ByteWriter();
  private readonly schema: SchemaElement[];
  private readonly columns: readonly ParquetColumn[];
  /** Indexes of the fields whose characters are counted. */
  private readonly texts: readonly number[];
  private readonly groups: RowGroup[] = [];
  private rows = 0;
  private characters = 0;

  constructor(
    fields: readonly ExportedField[],
    compression: Compression | null,
    private readonly limits: RowGroupLimits,
  ) {
    this.schema = schemaOf(fields);
    const pages = pageCompression(compression);
    this.columns = fields.map((field) => new ParquetColumn(field, PARQUET_TYPES[field.type]!.type, pages));
    this.texts = fields.flatMap(({ type, isArray }, at) =>
      PARQUET_TYPES[type] === TEXT && !isArray ? [at] : [],
    );
    this.output.appendUint32(MAGIC);
  }

  write(rows: readonly ExportedRow[]): Uint8Array {
    const groups: Uint8Array[] = [];
    for (const row of rows) {
      for (let at = 0; at < this.columns.length; at++) this.columns[at]!.add(row[at]!);
      for (const at of this.texts) this.characters += (row[at] as string | null)?.length ?? 0;
      this.rows += 1;
      if (this.rows < this.limits.rows && this.characters < this.limits.characters) continue;
      this.writeGroup();
      groups.push(this.take());
    }
    return Buffer.concat(groups);
  }

  end(): Uint8Array {
    if (this.rows > 0) this.writeGroup();
    const rows = this.groups.reduce((sum, group) => sum + group.num_rows, 0n);
    writeMetadata(this.output, {
      version: 2,
      created_by: 'workspace-scraping-service',
      schema: this.schema,
      num_rows: rows,
      row_groups: this.groups,
      // Measured by the writer.
      metadata_length: 0,
    });
    this.output.appendUint32(MAGIC);
    return this.take();
  }

  private writeGroup(): void {
    const start = this.output.offset;
    const columns = this.columns.map((column) => column.write(this.output));
    this.groups.push({
      columns,
      total_byte_size: columns.reduce((sum, { meta_data }) => sum + meta_data!.total_uncompressed_size, 0n),
      num_rows: BigInt(this.rows),
      total_compressed_size: BigInt(this.output.offset - start),
    });
    this.rows = 0;
    this.characters = 0;
  }

  /** Returns a copy of the bytes written since the last call, because the buffer is reused. */
  private take(): Uint8Array {
    const bytes = Buffer.from(this.output.getBytes());
    this.output.index = 0;
    return bytes;
  }
}

/** Parquet. */
export const PARQUET: ExportFormatDefinition = {
  name: 'parquet',
  title: 'Parquet (data frames)',
  contentType: 'application/vnd.apache.parquet',
  schemaOf: () => ({ type: 'string', format: 'binary' }),
  compressesItself: true,
  createEncoder: ({ fields }, { compression, rowGroup }) => new ParquetEncoder(fields, compression, rowGroup),
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
