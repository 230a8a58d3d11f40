import type { ExportedField, ExportedRow, ExportedValue } from './exported-table.js';

/**
 * The start of the stream: the signature, flags and the length of an extension. The last two are zero in every version
 * of Postgres.
 */
const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
/** Replaces the field count of a row after the last row. */
const TRAILER = -1;
/** Replaces the length of a value that is null. */
const NULL = -1;
const UINT32 = 2 ** 32;
/** Milliseconds from 1970 to 2000, the epoch of Postgres timestamps. */
const POSTGRES_EPOCH_MS = 946_684_800_000;

/** Parses rows with these fields, in this order, from the output of COPY in binary format. */
export class CopiedRows {
  private readonly readers: readonly ValueReader[];
  private unread: Buffer = Buffer.alloc(0);
  private state: 'header' | 'rows' | 'end' = 'header';

  constructor(fields: readonly ExportedField[]) {
    this.readers = fields.map(({ type, isArray }) => (isArray ? readTexts : READERS[type]!));
  }

  /** Yields the rows that these bytes complete; they must continue the stream. Throws when they are not valid. */
  *read(bytes: Buffer): Generator<ExportedRow, void, undefined> {
    const all = this.unread.length === 0 ? bytes : Buffer.concat([this.unread, bytes]);
    let at = this.state === 'header' ? this.readHeader(all) : 0;
    while (this.state === 'rows' && at + 2 <= all.length) {
      const count = all.readInt16BE(at);
      if (count === TRAILER) {
        this.state = 'end';
        break;
      }
      if (count !== this.readers.length) throw new Error(`A copied row has ${count} fields`);
      const end = endOfRow(all, at, count);
      if (end > all.length) break;
      yield this.readRow(all, at + 2);
      at = end;
    }
    this.unread = all.subarray(at);
  }

  /** Throws unless the stream has ended with COPY's trailer. */
  requireEnd(): void {
    if (this.state !== 'end') throw new Error('The copied rows ended before their end');
  }

  private readHeader(bytes: Buffer): number {
    if (bytes.length < HEADER.length) return 0;
    if (!bytes.subarray(0, HEADER.length).equals(HEADER)) throw new Error('The copied rows are not binary');
    this.state = 'rows';
    return HEADER.length;
  }

  private readRow(bytes: Buffer, start: number): ExportedRow {
    const row: ExportedValue[] = [];
    let at = start;
    for (const read of this.readers) {
      const length = bytes.readInt32BE(at);
      at += 4;
      if (length === NULL) row.push(null);
      else {
        row.push(read(bytes, at, at + length));
        at += length;
      }
    }
    return row;
  }
}

/** The offset of the end of a row; beyond `bytes` when they contain only part of it. */
function endOfRow(bytes: Buffer, start: number, fields: number): number {
  let at = start + 2;
  for (let field = 0; field < fields && at <= bytes.length; field++) {
    if (at + 4 > bytes.length) return Infinity;
    at += 4 + Math.max(0, bytes.readInt32BE(at));
  }
  return at;
}

/** Reads a value from the bytes between its start and its end. */
type ValueReader = (bytes: Buffer, at: number, end: number) => ExportedValue;

const readText = (bytes: Buffer, at: number, end: number): string => bytes.toString('utf8', at, end);

/** Integers beyond 2^53 lose precision. */
const readBigint = (bytes: Buffer, at: number): number =>
  bytes.readInt32BE(at) * UINT32 + bytes.readUInt32BE(at + 4);

/** The readers by column type. */
const READERS: Record<string, ValueReader> = {
  text: readText,
  // Selected as text with a prefix.
  uuid: readText,
  integer: (bytes, at) => bytes.readInt32BE(at),
  bigint: readBigint,
  'double precision': (bytes, at) => bytes.readDoubleBE(at),
  boolean: (bytes, at) => bytes[at] === 1,
  timestamptz: (bytes, at) => new Date(POSTGRES_EPOCH_MS + Math.floor(readBigint(bytes, at) / 1_000)),
};

/** Reads an array with at most one dimension and no nulls: dimensions, null flag, type, count, first index, texts. */
function readTexts(bytes: Buffer, at: number): string[] {
  if (bytes.readInt32BE(at) === 0) return [];
  const count = bytes.readInt32BE(at + 12);
  const texts: string[] = [];
  let start = at + 20;
  for (let index = 0; index < count; index++) {
    const end = start + 4 + bytes.readInt32BE(start);
    texts.push(readText(bytes, start + 4, end));
    start = end;
  }
  return texts;
}
