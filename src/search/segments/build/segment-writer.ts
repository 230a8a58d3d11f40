import { setImmediate as nextTurn } from 'node:timers/promises';
import { CASE_MARK, type FieldRule, nameKey, type SearchedTable } from '../../searched-table.js';
import { type Bitmap, hasBit, roomForRows } from '../format/bitmap.js';
import { type Range, rangeOf } from '../format/range.js';
import type { Segment } from '../read/segment.js';
import {
  appendPositions,
  encodePositions,
  encodePostings,
  keyOf,
  occurrencesAt,
  readRows,
} from '../format/term-postings.js';
import { segmentColumns, segmentValues } from '../format/segment-fields.js';
import { encodeColumn, encodeDirectory, SegmentIds, TERM_BLOCK_BYTES } from '../format/segment-blocks.js';
import { isWordKey, valueKey, wordKey } from '../format/term-keys.js';
import { TermLog } from './term-log.js';
import { readTsvector } from '../format/tsvector.js';

/** Number of terms after which the writer yields to other work of the process. */
const TERMS_PER_TURN = 2_000;
const NO_ROW = -1;
/** The kind of terms that are lexemes; no field has this name. */
const WORDS = ' words';
const ROWS = roomForRows();

/**
 * A row as {@link rowColumns} reads it: id and words, then numbers and values in the order of the table's fields.
 */
export type SegmentRow = [id: string, vector: string, ...rest: unknown[]];

/** The select list of the data that a segment stores for a row. */
export function rowColumns(table: Pick<SearchedTable, 'fields'>): string {
  const valueOf = (rule: FieldRule): string[] => {
    const { sql, type } = rule;
    return type === 'name' ? [nameKey(rule), sql] : [type === 'list' ? `to_json(${sql})` : sql];
  };
  return [
    'id::text',
    'search::text',
    ...Object.values(segmentColumns(table)),
    ...segmentValues(table).flatMap(([, rule]) => valueOf(rule)),
  ].join(', ');
}

/** Collects rows in any order and builds the blocks of a segment from them, sorted by id. */
export class SegmentWriter {
  private readonly ids: string[] = [];
  private readonly columns = new Map<string, number[]>();
  private readonly log = new TermLog();
  /** Term numbers by kind and text: building a key takes longer than finding its term. */
  private readonly known = new Map<string, Map<string, number>>();

  private readonly values: [field: string, rule: FieldRule][];

  constructor(table: Pick<SearchedTable, 'fields'>) {
    this.values = segmentValues(table);
    for (const column of Object.keys(segmentColumns(table))) this.columns.set(column, []);
  }

  /** Number of rows so far. */
  get rows(): number {
    return this.ids.length;
  }

  /** Adds a row. */
  add([id, vector, ...rest]: SegmentRow): void {
    const row = this.ids.length;
    this.ids.push(id);
    let next = 0;
    for (const values of this.columns.values()) values.push(Number(rest[next++]));
    for (const [field, { type }] of this.values)
      if (type === 'list') this.postList(field, rest[next++] as string[], row);
      else {
        const value = String(rest[next++]);
        const spelling = type === 'name' ? (rest[next++] as string) : null;
        // Rows with the same spelling can have different keys.
        const kind = spelling === null || !value.startsWith(CASE_MARK) ? field : `${field} with case`;
        this.post(kind, spelling ?? value, row, () => valueKey(field, value, spelling ?? ''));
      }
    readTsvector(vector, (lexeme, occurrences, positions) => {
      appendPositions(positions, this.log.positions);
      this.post(WORDS, lexeme, row, () => wordKey(lexeme), occurrences);
    });
  }

  /** Adds the rows of a segment that are not `outdated`. The segment must be fully loaded and have every column. */
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
      const term = this.log.termOf(key);
      const isWord = isWordKey(key);
      const occurrences = occurrencesAt(postings);
      readRows(postings, ROWS);
      for (let index = 0; index < postings.rows; index += 1) {
        const row = rows[ROWS[index]!]!;
        if (row === NO_ROW) {
          if (isWord) positions.skip();
          continue;
        }
        if (isWord) positions.copyTo(this.log.positions);
        this.log.add(term, row, isWord ? postings.block[occurrences + index]! : 0);
      }
      count += 1;
      if (count % TERMS_PER_TURN === 0) await nextTurn();
    }
  }

  /** The blocks of the segment, ordered by number. */
  async blocks(): Promise<Buffer[]> {
    const order = this.ids.map((_, row) => row).sort((a, b) => (this.ids[a]! < this.ids[b]! ? -1 : 1));
    const places = new Uint32Array(order.length);
    order.forEach((row, place) => (places[row] = place));
    const blocks = [SegmentIds.encode(order.map((row) => this.ids[row]!))];
    const columns: Record<string, number> = {};
    const sums: Record<string, number> = {};
    const ranges: Record<string, Range> = {};
    for (const [column, values] of this.columns) {
      blocks.push(encodeColumn(order.map((row) => values[row]!)));
      columns[column] = blocks.length;
      sums[column] = values.reduce((sum, value) => sum + value, 0);
      ranges[column] = rangeOf(values);
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
    for (const { key, postings, numbers } of this.log.sorted(places)) {
      const term = encodePostings(key, postings);
      if (pending.bytes + term.length > TERM_BLOCK_BYTES) flush();
      if (pending.terms.length === 0) firstKeys.push(key);
      pending.terms.push(term);
      if (isWordKey(key)) pending.positions.push(encodePositions(this.log.positionsOf(numbers)));
      pending.bytes += term.length;
      count += 1;
      if (count % TERMS_PER_TURN === 0) await nextTurn();
    }
    flush();
    return [encodeDirectory({ ids: 1, columns, sums, ranges, terms, firstKeys }), ...blocks, ...positions];
  }

  /** Numbers equal values of a list, so that each of them counts. */
  private postList(field: string, values: readonly string[], row: number): void {
    values.forEach((value, index) => {
      const number = String(values.slice(0, index).filter((before) => before === value).length + 1);
      this.post(`${field} ${number}`, value, row, () => valueKey(field, value, number));
    });
  }

  /** Adds a row to the term for a text of this kind. */
  private post(kind: string, text: string, row: number, keyOf: () => string, occurrences = 0): void {
    let terms = this.known.get(kind);
    if (terms === undefined) this.known.set(kind, (terms = new Map<string, number>()));
    let term = terms.get(text);
    if (term === undefined) terms.set(text, (term = this.log.termOf(keyOf())));
    this.log.add(term, row, occurrences);
  }
}
