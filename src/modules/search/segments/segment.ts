import {
  type Bitmap,
  emptyBitmap,
  fullBitmap,
  hasBit,
  intersect,
  isEmpty,
  readBits,
  roomForRows,
  setBit,
  subtract,
  unite,
} from './bitmap.js';
import type { ChangeList } from './change-lists.js';
import type { FieldValues } from './field-values.js';
import type { Match } from './match.js';
import type { Range } from './range.js';
import { type Postings, postingsIn, readRows, unitePostings } from './term-postings.js';
import { isInTitle, placeOf, PositionReader } from './term-positions.js';
import { type Directory, SegmentIds, termBlocks } from './segment-blocks.js';
import type { NumbersByField, ValueNumbers } from './value-numbers.js';

const ROWS = roomForRows();

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
  else if (match.kind === 'phrase')
    for (const { key } of match.words) needs.terms.push({ key, isWhole: true, withPositions: true });
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
  column(number: number): Float64Array;
  range(number: number): Range;
  values(field: string, numbers: ValueNumbers): FieldValues;
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

  /** The matching rows that are still current; `changed` lists rows whose current state is in no segment. */
  matching(match: Match, changed: readonly ChangeList[]): Bitmap {
    const rows = this.evaluate(match);
    subtract(rows, this.outdatedWith(changed));
    return rows;
  }

  /** The rows changed or deleted since the segment was written, including those in `changed`. */
  outdatedWith(changed: readonly ChangeList[]): Bitmap {
    const rows = this.outdated?.slice() ?? emptyBitmap();
    if (changed.length === 0) return rows;
    const ids = this.blocks.ids(this.directory.ids);
    for (const list of changed) for (const row of list.rowsIn(ids)) setBit(rows, row);
    return rows;
  }

  /** Ids of the rows that are not among the `outdated`. */
  idsWithout(outdated: Bitmap): string[] {
    const ids = this.blocks.ids(this.directory.ids);
    const rows = fullBitmap(this.rows);
    subtract(rows, outdated);
    const count = readBits(rows, ROWS);
    return Array.from(ROWS.subarray(0, count), (row) => ids.at(row));
  }

  /** The id of a row. */
  idOf(row: number): string {
    return this.blocks.ids(this.directory.ids).at(row);
  }

  /** How many rows come before an id in id order, including the row with that id when `isIncluded`. */
  rowsBefore(id: string, isIncluded: boolean): number {
    return this.blocks.ids(this.directory.ids).placeOf(id, isIncluded);
  }

  /** Whether the segment has a column; earlier versions wrote fewer. */
  hasColumn(name: string): boolean {
    return this.directory.columns[name] !== undefined;
  }

  /** A column's numbers by row. */
  column(name: string): Float64Array {
    return this.blocks.column(this.directory.columns[name]!);
  }

  /** The range of a column, outdated rows included. */
  rangeOf(name: string): Range {
    return this.directory.ranges?.[name] ?? this.blocks.range(this.directory.columns[name]!);
  }

  /** The sum of a column over all rows, outdated ones included. */
  sumOf(name: string): number {
    const known = this.directory.sums?.[name];
    if (known !== undefined) return known;
    const numbers = this.column(name);
    let sum = 0;
    for (let row = 0; row < numbers.length; row += 1) sum += numbers[row]!;
    return sum;
  }

  /** The terms whose keys begin with `key`, or the term `key` only when `isWhole`. */
  *terms(key: string, isWhole = false): Generator<Postings> {
    for (const block of termBlocks(this.directory, key, isWhole))
      yield* postingsIn(this.blocks.bytes(block), key, isWhole);
  }

  /** The values of a field by row; their keys have these numbers. */
  values(field: string, numbers: ValueNumbers): FieldValues {
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

  private evaluate(match: Match): Bitmap {
    switch (match.kind) {
      case 'all':
        return fullBitmap(this.rows);
      case 'none':
        return emptyBitmap();
      case 'terms': {
        const rows = emptyBitmap();
        for (const postings of this.terms(match.key, match.isWhole))
          unitePostings(rows, postings, match.inTitle);
        return rows;
      }
      case 'phrase':
        return this.withPhrase(match);
      case 'bound':
        return this.bounded(match);
      case 'not': {
        const rows = fullBitmap(this.rows);
        subtract(rows, this.evaluate(match.operand));
        return rows;
      }
      case 'and':
      case 'or': {
        const [first, ...others] = match.operands;
        const rows = this.evaluate(first!);
        for (const operand of others) {
          if (match.kind === 'and' && isEmpty(rows)) return rows;
          (match.kind === 'and' ? intersect : unite)(rows, this.evaluate(operand));
        }
        return rows;
      }
    }
  }

  /** Rows in which the words of a phrase follow each other at its distances. */
  private withPhrase({ words, distances }: Match & { kind: 'phrase' }): Bitmap {
    const rows = this.evaluate({
      kind: 'and',
      operands: words.map(({ key, inTitle }) => ({ kind: 'terms', key, isWhole: true, inTitle })),
    });
    let ends = new Map<number, number[]>();
    words.forEach(({ key, inTitle }, index) => {
      const next = new Map<number, number[]>();
      for (const { postings, positions } of this.termsWithPositions(key, true)) {
        readRows(postings, ROWS);
        for (const row of ROWS.subarray(0, postings.rows)) {
          if (!hasBit(rows, row) || (index > 0 && !ends.has(row))) {
            positions.skip();
            continue;
          }
          const places = positions
            .read()
            .filter((position) => !inTitle || isInTitle(position))
            .map(placeOf)
            .filter((place) => index === 0 || ends.get(row)!.includes(place - distances[index - 1]!));
          if (places.length > 0) next.set(row, places);
        }
      }
      ends = next;
    });
    const found = emptyBitmap();
    for (const row of ends.keys()) setBit(found, row);
    return found;
  }

  private bounded({ column, operator, value }: Match & { kind: 'bound' }): Bitmap {
    const numbers = this.column(column);
    if (operator === '>=') return rowsFrom(numbers, value);
    if (operator === '<=') return rowsUpTo(numbers, value);
    const rows = fullBitmap(this.rows);
    subtract(rows, rowsFrom(numbers, value));
    return rows;
  }
}

/** Rows with a number of at least `value`. Whole words of a set are written, which takes a third of the time of bits. */
function rowsFrom(numbers: Float64Array, value: number): Bitmap {
  const rows = emptyBitmap();
  for (let start = 0; start < numbers.length; start += 32) {
    const end = Math.min(numbers.length, start + 32);
    let bits = 0;
    for (let row = start; row < end; row += 1) bits |= Number(numbers[row]! >= value) << (row - start);
    rows[start >>> 5] = bits;
  }
  return rows;
}

/** Rows with a number of at most `value`. */
function rowsUpTo(numbers: Float64Array, value: number): Bitmap {
  const rows = emptyBitmap();
  for (let start = 0; start < numbers.length; start += 32) {
    const end = Math.min(numbers.length, start + 32);
    let bits = 0;
    for (let row = start; row < end; row += 1) bits |= Number(numbers[row]! <= value) << (row - start);
    rows[start >>> 5] = bits;
  }
  return rows;
}
