import fc from 'fast-check';
import { emptyBitmap, hasBit, roomForRows, SEGMENT_ROWS, setBit } from './bitmap.js';
import { valueKey, wordKey } from './term-keys.js';
import {
  appendPositions,
  encodePositions,
  encodePostings,
  keyOf,
  occurrencesAt,
  packedOccurrences,
  packedRow,
  packPosting,
  PositionReader,
  postingsIn,
  readRows,
  readRowsIn,
  unitePostings,
} from './term-postings.js';

/** The fewest rows of a term with a bitmap. */
const DENSE = 4_096;
const OF_TITLE = 0x10;
const OF_TEXT = 0x01;
/** So many rows, up to the last one of a segment, in the title of every third and the text of every other one. */
function postingsOf(count: number): Uint32Array {
  const step = Math.floor(SEGMENT_ROWS / count);
  return Uint32Array.from({ length: count }, (_, at) =>
    packPosting(SEGMENT_ROWS - 1 - (count - 1 - at) * step, at % 3 === 0 ? OF_TITLE : OF_TEXT),
  );
}
const rowsOf = (postings: Uint32Array): number[] => Array.from(postings, packedRow);
const rowsIn = (bitmap: Uint32Array): number[] =>
  Array.from({ length: SEGMENT_ROWS }, (_, row) => row).filter((row) => hasBit(bitmap, row));

describe.each([1, 2, DENSE - 1, DENSE, DENSE + 1, SEGMENT_ROWS])('a term with %i rows', (count) => {
  const postings = postingsOf(count);
  const sizes = { list: count * 2, bitmap: SEGMENT_ROWS / 8 };
  const rowBytes = count < DENSE ? sizes.list : sizes.bitmap;

  it.each([
    [wordKey('owl'), count],
    [valueKey('author', 'ann', 'Ann'), 0],
  ])('and the key %j is found between others, with its rows', (key, occurrences) => {
    const encoded = encodePostings(key, postings);
    expect(encoded.length).toBe(4 + Buffer.byteLength(key) + rowBytes + occurrences);
    const [before, after] = [wordKey('a'), wordKey('p')].map((one) => encodePostings(one, postingsOf(1)));
    const block = Buffer.concat([before!, encoded, after!]);
    const [found, ...more] = [...postingsIn(block, key, true)];
    expect([keyOf(found!), found!.rows, found!.lexeme, more]).toEqual([key, count, 1, []]);
    const room = roomForRows();
    readRows(found!, room);
    expect([...room.subarray(0, count)]).toEqual(rowsOf(postings));
  });

  it('is united with a set, whole or by field, and narrowed to one', () => {
    const block = encodePostings(wordKey('owl'), postings);
    const [found] = [...postingsIn(block, wordKey('owl'))];
    const united = (field: 'title' | 'text' | null): number[] => {
      const bitmap = emptyBitmap();
      unitePostings(bitmap, found!, field);
      return rowsIn(bitmap);
    };
    const inTitle = [...postings].filter((one) => packedOccurrences(one) === OF_TITLE).map(packedRow);
    const inText = [...postings].filter((one) => packedOccurrences(one) === OF_TEXT).map(packedRow);
    expect([united(null), united('title'), united('text')]).toEqual([rowsOf(postings), inTitle, inText]);
    expect(block[occurrencesAt(found!)]).toBe(OF_TITLE);
    const titles = emptyBitmap();
    for (const row of inTitle) setBit(titles, row);
    const room = roomForRows();
    expect([...room.subarray(0, readRowsIn(titles, found!, room))]).toEqual(inTitle);
  });
});

it('the terms of a block are found by their beginning', () => {
  const keys = ['ow', 'owl', 'owls', 'own'].map(wordKey);
  const block = Buffer.concat(keys.map((key) => encodePostings(key, postingsOf(2))));
  const found = (prefix: string, isWhole = false) =>
    [...postingsIn(block, prefix, isWhole)].map((one) => [keyOf(one), one.lexeme]);
  expect(found(wordKey('owl'))).toEqual([
    [keys[1], 1],
    [keys[2], 2],
  ]);
  expect(found(wordKey('owl'), true)).toEqual([[keys[1], 1]]);
  expect([found(wordKey('o')).length, found(wordKey('x'))]).toEqual([4, []]);
});

it('positions are read, copied and skipped row by row, for every lexeme', () => {
  const row = fc.uniqueArray(fc.oneof(fc.nat(200), fc.nat(1 << 20)), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(
      fc.array(fc.array(row, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
      (given) => {
        const lexemes = given.map((rows) => rows.map((one) => one.toSorted((a, b) => a - b)));
        const bytesOf = (rows: readonly number[][]): number[] => {
          const bytes: number[] = [];
          for (const positions of rows) appendPositions(positions, bytes);
          return bytes;
        };
        const block = Buffer.concat(lexemes.map((rows) => encodePositions(Uint8Array.from(bytesOf(rows)))));
        for (const [lexeme, rows] of lexemes.entries()) {
          const [reader, copier, skipper] = [0, 1, 2].map(() => new PositionReader(block, lexeme));
          expect(rows.map(() => reader!.read())).toEqual(rows);
          const copied: number[] = [];
          for (let at = 0; at < rows.length; at += 1) copier!.copyTo(copied);
          expect(copied).toEqual(bytesOf(rows));
          for (let at = 1; at < rows.length; at += 1) skipper!.skip();
          expect(skipper!.read()).toEqual(rows.at(-1));
        }
      },
    ),
  );
});
