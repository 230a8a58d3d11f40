import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FacetRule, SearchedTable } from '../searched-table.js';
import { type Bitmap, hasBit, roomForRows, SEGMENT_ROWS } from './bitmap.js';
import type { Segment } from './segment.js';
import {
  encodePostings,
  keyOf,
  occurrencesAt,
  packedOccurrences,
  packedRow,
  packPosting,
  readRows,
} from './term-postings.js';
import { encodeColumn, encodeDirectory, SegmentIds } from './segment-blocks.js';
import { isWordKey, valueKey, wordKey } from './term-keys.js';
import { encodePositions } from './term-positions.js';
import { readTsvector } from './tsvector.js';

/** Bytes of a block of terms; a single term may take more. */
const TERM_BLOCK_BYTES = 16_384;
/** Terms after which other work of the process has a turn. */
const TERMS_PER_TURN = 2_000;
const NO_ROW = -1;
const ROWS = roomForRows();

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

/** Collects rows in any order and makes the blocks of a segment of them, in which they are in the order of their ids. */
export class SegmentWriter {
  private readonly ids: string[] = [];
  private readonly columns = new Map<string, number[]>();
  private readonly terms = new Map<string, TermRows>();

  constructor(private readonly table: SegmentSource) {
    for (const column of Object.keys(table.segments.columns)) this.columns.set(column, []);
  }

  /** Rows so far. */
  get rows(): number {
    return this.ids.length;
  }

  /** Adds a row. */
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
    readTsvector(vector, (lexeme, occurrences, positions) =>
      this.post(wordKey(lexeme), row, occurrences, positions),
    );
  }

  /** Adds the rows of a segment that are not `outdated`; of the segment everything is loaded, and it has every column. */
  async addSegment(segment: Segment, outdated: Bitmap): Promise<void> {
    const rows = new Int32Array(segment.rows).fill(NO_ROW);
    for (let row = 0; row < segment.rows; row += 1) {
      if (hasBit(outdated, row)) continue;
      rows[row] = this.ids.length;
      this.ids.push(segment.idOf(row));
      for (const [column, values] of this.columns) values.push(segment.column(column)[row]!);
    }
    let count = 0;
    for (const { postings, positions } of segment.termsWithPositions('')) {
      const key = keyOf(postings);
      const isWord = isWordKey(key);
      const occurrences = occurrencesAt(postings);
      readRows(postings, ROWS);
      for (let index = 0; index < postings.rows; index += 1) {
        const at = rows[ROWS[index]!]!;
        if (at !== NO_ROW)
          if (isWord) this.post(key, at, postings.block[occurrences + index]!, positions.read());
          else this.post(key, at, 0);
        else if (isWord) positions.skip();
      }
      count += 1;
      if (count % TERMS_PER_TURN === 0) await nextTurn();
    }
  }

  /** The blocks of the segment in the order of their numbers. */
  async blocks(): Promise<Buffer[]> {
    const order = this.ids.map((_, row) => row).sort((a, b) => (this.ids[a]! < this.ids[b]! ? -1 : 1));
    const places = new Uint32Array(order.length);
    order.forEach((row, place) => (places[row] = place));
    const blocks = [SegmentIds.encode(order.map((row) => this.ids[row]!))];
    const columns: Record<string, number> = {};
    const sums: Record<string, number> = {};
    for (const [column, values] of this.columns) {
      blocks.push(encodeColumn(order.map((row) => values[row]!)));
      columns[column] = blocks.length;
      sums[column] = values.reduce((sum, value) => sum + value, 0);
    }
    const terms = blocks.length + 1;
    const firstKeys: string[] = [];
    const positions: Buffer[] = [];
    let pending = { terms: [] as Buffer[], positions: [] as Buffer[], bytes: 0 };
    const flush = (): void => {
      if (pending.terms.length === 0) return;
      blocks.push(Buffer.concat(pending.terms));
      positions.push(Buffer.concat(pending.positions));
      pending = { terms: [], positions: [], bytes: 0 };
    };
    let count = 0;
    for (const key of [...this.terms.keys()].sort()) {
      const term = encodeTerm(key, this.terms.get(key)!, places);
      if (pending.bytes + term.postings.length > TERM_BLOCK_BYTES) flush();
      if (pending.terms.length === 0) firstKeys.push(key);
      pending.terms.push(term.postings);
      if (term.positions !== null) pending.positions.push(term.positions);
      pending.bytes += term.postings.length;
      count += 1;
      if (count % TERMS_PER_TURN === 0) await nextTurn();
    }
    flush();
    return [encodeDirectory({ ids: 1, columns, sums, terms, firstKeys }), ...blocks, ...positions];
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

  private post(key: string, row: number, occurrences: number, positions?: readonly number[]): void {
    let rows = this.terms.get(key);
    if (rows === undefined) this.terms.set(key, (rows = { postings: [], positions: [] }));
    rows.postings.push(packPosting(row, occurrences));
    if (positions !== undefined) rows.positions.push(positions.length, ...positions);
  }
}

/** The rows of a term in the order in which they were added. */
interface TermRows {
  /** As `packPosting` packs them. */
  postings: number[];
  /** Of a lexeme: for each row the number of its positions, and these as `packPosition` packs them. */
  positions: number[];
}

/** The bytes of a term, and of its positions if it is a lexeme, with the rows at their places in the segment. */
function encodeTerm(
  key: string,
  { postings, positions }: TermRows,
  places: Uint32Array,
): { postings: Buffer; positions: Buffer | null } {
  // The index beside each posting, so that sorting needs no function.
  const order = Float64Array.from(
    postings,
    (posting, index) =>
      packPosting(places[packedRow(posting)]!, packedOccurrences(posting)) * SEGMENT_ROWS + index,
  ).sort();
  const encoded = encodePostings(
    key,
    Uint32Array.from(order, (one) => one / SEGMENT_ROWS),
  );
  if (!isWordKey(key)) return { postings: encoded, positions: null };
  const starts = new Uint32Array(postings.length);
  for (let index = 0, at = 0; index < starts.length; index += 1) {
    starts[index] = at;
    at += 1 + positions[at]!;
  }
  const ordered = Uint32Array.from(order, (one) => starts[one % SEGMENT_ROWS]!);
  return { postings: encoded, positions: encodePositions(positions, ordered) };
}
