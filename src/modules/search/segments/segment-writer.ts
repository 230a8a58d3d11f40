import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FacetRule, SearchedTable } from '../searched-table.js';
import { encodePostings } from './term-postings.js';
import { encodeColumn, encodeDirectory, SegmentIds } from './segment-blocks.js';
import { valueKey, wordKey } from './term-keys.js';
import { readTsvector } from './tsvector.js';

/** Bytes of a block of terms; a single term may take more. */
const TERM_BLOCK_BYTES = 16_384;
/** Terms after which other work of the process has a turn. */
const TERMS_PER_TURN = 2_000;
/** A row and the occurrences in it share one number, so that a list of postings is an array of small integers. */
const OCCURRENCE_BITS = 8;

/** A row as {@link rowColumns} reads it: id, words, then numbers, flags and values in the order of the table's rules. */
export type SegmentRow = [id: string, vector: string, ...rest: unknown[]];

/** A table whose rows segments hold, whatever filters it has. */
export interface SegmentSource extends Pick<SearchedTable<object, string>, 'name' | 'idType' | 'facets'> {
  segments: { columns: Record<string, string>; flags: readonly string[] };
}

/** The select list of what a segment holds of a row. */
export function rowColumns({ facets, segments }: SegmentSource): string {
  const valueOf = ({ expression, kind }: FacetRule): string[] =>
    kind === 'name'
      ? [`lower(${expression})`, expression]
      : [kind === 'list' ? `to_json(${expression})` : expression];
  return [
    'id::text',
    'search::text',
    ...Object.values(segments.columns),
    ...segments.flags,
    ...Object.values(facets).flatMap(valueOf),
  ].join(', ');
}

/** Collects rows in ascending order of their ids (as JavaScript compares texts) and makes the blocks of a segment of them. */
export class SegmentWriter {
  private readonly ids: string[] = [];
  private readonly columns = new Map<string, number[]>();
  private readonly postings = new Map<string, number[]>();

  constructor(private readonly table: SegmentSource) {
    for (const column of Object.keys(table.segments.columns)) this.columns.set(column, []);
  }

  /** Rows so far. */
  get rows(): number {
    return this.ids.length;
  }

  /** Adds a row; its id comes after those of the rows before. */
  add([id, vector, ...rest]: SegmentRow): void {
    const row = this.ids.length;
    this.ids.push(id);
    let next = 0;
    for (const values of this.columns.values()) values.push(Number(rest[next++]));
    for (const flag of this.table.segments.flags) this.post(valueKey(flag, String(rest[next++]), ''), row, 0);
    for (const [facet, { kind }] of Object.entries(this.table.facets))
      if (kind === 'list') this.addList(facet, rest[next++] as string[], row);
      else {
        const value = rest[next++] as string;
        this.post(valueKey(facet, value, kind === 'name' ? (rest[next++] as string) : ''), row, 0);
      }
    readTsvector(vector, (lexeme, occurrences) => this.post(wordKey(lexeme), row, occurrences));
  }

  /** The blocks of the segment in the order of their numbers. */
  async blocks(): Promise<Buffer[]> {
    const blocks = [SegmentIds.encode(this.ids)];
    const columns: Record<string, number> = {};
    for (const [column, values] of this.columns) {
      blocks.push(encodeColumn(values));
      columns[column] = blocks.length;
    }
    const terms = blocks.length + 1;
    const firstKeys: string[] = [];
    let pending: Buffer[] = [];
    let bytes = 0;
    const flush = (): void => {
      if (pending.length > 0) blocks.push(Buffer.concat(pending));
      pending = [];
      bytes = 0;
    };
    let count = 0;
    for (const key of [...this.postings.keys()].sort()) {
      const packed = this.postings.get(key)!;
      const encoded = encodePostings(
        key,
        packed.map((one) => one >>> OCCURRENCE_BITS),
        packed.map((one) => one & ((1 << OCCURRENCE_BITS) - 1)),
      );
      if (bytes + encoded.length > TERM_BLOCK_BYTES) flush();
      if (pending.length === 0) firstKeys.push(key);
      pending.push(encoded);
      bytes += encoded.length;
      count += 1;
      if (count % TERMS_PER_TURN === 0) await nextTurn();
    }
    flush();
    return [encodeDirectory({ ids: 1, columns, terms, firstKeys }), ...blocks];
  }

  /** Equal values of one list are numbered, so that each of them counts. */
  private addList(facet: string, values: readonly string[], row: number): void {
    const seen = new Map<string, number>();
    for (const value of values) {
      const number = (seen.get(value) ?? 0) + 1;
      seen.set(value, number);
      this.post(valueKey(facet, value, String(number)), row, 0);
    }
  }

  private post(key: string, row: number, occurrences: number): void {
    const packed = (row << OCCURRENCE_BITS) | occurrences;
    const list = this.postings.get(key);
    if (list === undefined) this.postings.set(key, [packed]);
    else list.push(packed);
  }
}
