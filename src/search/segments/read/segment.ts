import {
  type Bitmap,
  clearBit,
  emptyBitmap,
  fill,
  hasBit,
  intersect,
  isEmpty,
  roomForRows,
  setBit,
  subtract,
  unite,
} from '../format/bitmap.js';
import { merged, nearStarts, phraseStarts, placeIn, type Places } from '../../matching/word-places.js';
import type { ChangeList } from './change-lists.js';
import type { FieldValues } from './field-values.js';
import type { Match, TermKey } from './match.js';
import type { TextField } from '../../query/query-tree.js';
import type { Range } from '../format/range.js';
import { type Postings, postingsIn, readRows, unitePostings } from '../format/term-postings.js';
import { isInTitle, placeOf, PositionReader } from '../format/term-postings.js';
import { type Column, type Directory, SegmentIds, termBlocks } from '../format/segment-blocks.js';
import type { NumbersByField, ValueNumbers } from '../format/term-keys.js';

const ROWS = roomForRows();
/** Reused by one evaluation after another: a new set for each would burden the garbage collector. */
const BITMAPS: Bitmap[] = [];

/** The data that an evaluation reads from a segment. */
export interface Needs {
  terms: { key: string; isWhole: boolean; withPositions?: boolean }[];
  columns: string[];
  ids: boolean;
  /** Fields of which {@link Segment.values} are read, with the numbers of their values. */
  values?: NumbersByField;
}

/** Adds the data that a match needs. */
export function addNeeds(match: Match, needs: Needs): void {
  if (match.kind === 'terms') needs.terms.push(match);
  else if (match.kind === 'phrase' || match.kind === 'near')
    for (const term of match.slots.flat()) needs.terms.push({ ...term, withPositions: true });
  else if (match.kind === 'bound') needs.columns.push(match.column);
  else if (match.kind === 'not') addNeeds(match.operand, needs);
  else if (match.kind === 'and' || match.kind === 'or')
    for (const operand of match.operands) addNeeds(operand, needs);
}

/** Numbers of the blocks that an evaluation reads from a segment. */
export function blocksOf(directory: Directory, { terms, columns, ids }: Needs): Set<number> {
  return new Set([
    ...terms.flatMap(({ key, isWhole, withPositions = false }) => {
      const blocks = termBlocks(directory, key, isWhole);
      return withPositions ? [...blocks, ...blocks.map((block) => positionBlock(directory, block))] : blocks;
    }),
    ...columns.flatMap((column) => directory.columns[column] ?? []),
    ...(ids ? [directory.ids] : []),
  ]);
}

/** Number of the block with the positions of a term block's lexemes. */
const positionBlock = ({ firstKeys }: Directory, terms: number): number => terms + firstKeys.length;

/** Access to blocks that were loaded before. */
export interface LoadedBlocks {
  bytes(number: number): Buffer;
  column(number: number): Column;
  values(field: string, numbers: ValueNumbers): Promise<FieldValues>;
  ids(number: number): SegmentIds;
}

/** A segment with the blocks that one evaluation reads. */
export class Segment {
  constructor(
    readonly rows: number,
    private readonly directory: Directory,
    private readonly blocks: LoadedBlocks,
    /** Rows changed or deleted since the segment was written. */
    private readonly outdated: Bitmap | null,
  ) {}

  /**
   * The matching rows that are still current; `changed` lists rows whose current state is in no segment. The result is
   * valid until the next call of any segment.
   */
  matching(match: Match, changed: readonly ChangeList[]): Bitmap {
    const rows = this.evaluate(match, 0);
    if (this.outdated !== null) subtract(rows, this.outdated);
    this.eachChanged(changed, (row) => clearBit(rows, row));
    return rows;
  }

  /** The rows changed or deleted since the segment was written, including those in `changed`. */
  outdatedWith(changed: readonly ChangeList[]): Bitmap {
    const rows = this.outdated?.slice() ?? emptyBitmap();
    this.eachChanged(changed, (row) => setBit(rows, row));
    return rows;
  }

  /** Whether a listed row is in the segment, current or not. */
  hasAny(list: ChangeList): boolean {
    return list.rowsIn(this.blocks.ids(this.directory.ids)).length > 0;
  }

  /** The id of a row. */
  idOf(row: number): string {
    return this.blocks.ids(this.directory.ids).at(row);
  }

  /** How many rows come before an id in id order, including the row with that id when `isIncluded`. */
  rowsBefore(id: string, isIncluded: boolean): number {
    return this.blocks.ids(this.directory.ids).placeOf(id, isIncluded);
  }

  /** A column's numbers by row. */
  column(name: string): Column {
    return this.blocks.column(this.directory.columns[name]!);
  }

  /** The range of a column, outdated rows included. */
  rangeOf(name: string): Range {
    return this.directory.ranges[name]!;
  }

  /** The sum of a column over all rows, outdated ones included. */
  sumOf(name: string): number {
    return this.directory.sums[name]!;
  }

  /** The terms whose keys begin with `key`, or the term `key` only when `isWhole`. */
  *terms(key: string, isWhole = false): Generator<Postings> {
    for (const block of termBlocks(this.directory, key, isWhole))
      yield* postingsIn(this.blocks.bytes(block), key, isWhole);
  }

  /** The values of a field by row; their keys have these numbers. */
  values(field: string, numbers: ValueNumbers): Promise<FieldValues> {
    return this.blocks.values(field, numbers);
  }

  /** As {@link Segment.terms}, each with the positions of its lexemes, which must be loaded. */
  *termsWithPositions(
    key: string,
    isWhole = false,
  ): Generator<{ postings: Postings; positions: PositionReader }> {
    for (const block of termBlocks(this.directory, key, isWhole)) {
      const positions = this.blocks.bytes(positionBlock(this.directory, block));
      for (const postings of postingsIn(this.blocks.bytes(block), key, isWhole))
        yield { postings, positions: new PositionReader(positions, postings.lexeme) };
    }
  }

  private eachChanged(changed: readonly ChangeList[], visit: (row: number) => void): void {
    if (changed.length === 0) return;
    const ids = this.blocks.ids(this.directory.ids);
    for (const list of changed) for (const row of list.rowsIn(ids)) visit(row);
  }

  /** The rows of a match, in the bitmap for this depth of operands within operands. */
  private evaluate(match: Match, depth: number): Bitmap {
    const rows = (BITMAPS[depth] ??= emptyBitmap());
    switch (match.kind) {
      case 'all':
        return fill(rows, this.rows);
      case 'none':
        return fill(rows, 0);
      case 'terms': {
        fill(rows, 0);
        for (const postings of this.terms(match.key, match.isWhole))
          unitePostings(rows, postings, match.field);
        return rows;
      }
      case 'phrase':
      case 'near':
        return this.withWords(match, depth);
      case 'bound':
        return this.bounded(match, rows);
      case 'not': {
        const operand = this.evaluate(match.operand, depth + 1);
        subtract(fill(rows, this.rows), operand);
        return rows;
      }
      case 'and':
      case 'or': {
        const [first, ...others] = match.operands;
        this.evaluate(first!, depth);
        for (const operand of others) {
          if (match.kind === 'and' && isEmpty(rows)) return rows;
          (match.kind === 'and' ? intersect : unite)(rows, this.evaluate(operand, depth + 1));
        }
        return rows;
      }
    }
  }

  /** Rows in which words have the places of a phrase, or are near each other. */
  private withWords(match: Match & { kind: 'phrase' | 'near' }, depth: number): Bitmap {
    const { slots, field } = match;
    const keys = slots.map((terms) => JSON.stringify(terms));
    const words = new Map(keys.map((key, slot) => [key, slots[slot]!]));
    const rows = this.evaluate(
      {
        kind: 'and',
        operands: [...words.values()].map((terms): Match => ({
          kind: 'or',
          operands: terms.map((term): Match => ({ kind: 'terms', ...term, field })),
        })),
      },
      depth,
    );
    const numberOf = match.kind === 'phrase' ? placeOf : placeInRecord;
    const ofWords = new Map(
      [...words].map(([key, terms]) => [key, this.placesOf(terms, rows, field, numberOf)]),
    );
    const places = keys.map((key) => ofWords.get(key)!);
    const found = [...places[0]!.keys()].filter((row) => {
      const ofRow = places.map((byRow) => merged(byRow.get(row) ?? []));
      return match.kind === 'phrase'
        ? phraseStarts(ofRow, match.positions).length > 0
        : nearStarts(ofRow, match.distance).length > 0;
    });
    fill(rows, 0);
    for (const row of found) setBit(rows, row);
    return rows;
  }

  /** The places of each of some terms in a field, by row, in the given rows. */
  private placesOf(
    terms: readonly TermKey[],
    rows: Bitmap,
    field: TextField | null,
    numberOf: (packed: number) => number,
  ): Map<number, Places[]> {
    const places = new Map<number, Places[]>();
    for (const { key, isWhole } of terms)
      for (const { postings, positions } of this.termsWithPositions(key, isWhole)) {
        readRows(postings, ROWS);
        for (const row of ROWS.subarray(0, postings.rows)) {
          if (!hasBit(rows, row)) {
            positions.skip();
            continue;
          }
          const all = positions.read();
          const inField = field === null ? all : all.filter((one) => isInTitle(one) === (field === 'title'));
          if (inField.length === 0) continue;
          const known = places.get(row);
          if (known === undefined) places.set(row, [inField.map(numberOf)]);
          else known.push(inField.map(numberOf));
        }
      }
    return places;
  }

  private bounded({ column, operator, value }: Match & { kind: 'bound' }, rows: Bitmap): Bitmap {
    const numbers = this.column(column);
    fill(rows, this.rows);
    for (let start = 0; start < this.rows; start += 32) {
      const word = start >>> 5;
      if (operator === '<=') rows[word]! &= bitsUpTo(value, numbers, start);
      else
        rows[word]! &= operator === '>=' ? bitsFrom(value, numbers, start) : ~bitsFrom(value, numbers, start);
    }
    return rows;
  }
}

const placeInRecord = (packed: number): number => placeIn(placeOf(packed), isInTitle(packed));

/** Bits of the 32 rows from `start` on with a number of at least `value`. Setting each in a set takes three times as long. */
function bitsFrom(value: number, numbers: Column, start: number): number {
  const end = Math.min(numbers.length, start + 32);
  let bits = 0;
  for (let row = start; row < end; row += 1) bits |= Number(numbers[row]! >= value) << (row - start);
  return bits;
}

/** As {@link bitsFrom}, of at most `value`. */
function bitsUpTo(value: number, numbers: Column, start: number): number {
  const end = Math.min(numbers.length, start + 32);
  let bits = 0;
  for (let row = start; row < end; row += 1) bits |= Number(numbers[row]! <= value) << (row - start);
  return bits;
}
