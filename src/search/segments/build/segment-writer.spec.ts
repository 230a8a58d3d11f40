import { writtenSegment } from '../../../../test/factories/segments.js';
import type { SegmentWriter } from './segment-writer.js';
import { emptyBitmap, readBits, roomForRows, setBit } from '../format/bitmap.js';
import type { Match } from '../read/match.js';
import type { Segment } from '../read/segment.js';
import { wordKey } from '../format/term-keys.js';
import { placeOf } from '../format/term-postings.js';

/** Ids, words as Postgres writes them, and scores. */
const ROWS: [string, string, number][] = [
  ['e', `'batteri':2,9 'solar':1,8`, 5],
  ['b', `'batteri':3 'solar':1`, 2],
  ['d', `'batteri':2A,7 'charger':8 'solar':1A`, 4],
  ['a', `'batteri':1 'solar':2`, 1],
  ['c', `'batteri':300,16383 'charger':301 'solar':299`, 3],
  ['g', `'batteri':16382 'solar':1`, 7],
  ['f', `'batteri':5A,8 'solar':1A,7`, 6],
];

const addRows = (writer: SegmentWriter, rows: typeof ROWS): void => {
  for (const [id, vector, score] of rows) writer.add([id, vector, score, 10, 'chess', 'Chess']);
};

const phrase = (words: string, distances: number[], inTitle = false): Match => ({
  kind: 'phrase',
  slots: words.split(' ').map((word) => [{ key: wordKey(word), isWhole: true }]),
  positions: distances.reduce<number[]>((all, distance) => [...all, all.at(-1)! + distance], [0]),
  field: inTitle ? 'title' : null,
});

const terms = (word: string, isWhole: boolean, inTitle = false): Match => ({
  kind: 'terms',
  key: wordKey(word),
  isWhole,
  field: inTitle ? 'title' : null,
});

function matching(segment: Segment, match: Match): string {
  const rows = roomForRows();
  const count = readBits(segment.matching(match, []), rows);
  return Array.from(rows.subarray(0, count), (row) => segment.idOf(row)).join('');
}

const FOUND: [string, Match, string][] = [
  ['a word', terms('charger', true), 'cd'],
  ['a word in the title', terms('batteri', true, true), 'df'],
  ['no longer words for a whole one', terms('batter', true), ''],
  ['every word with a beginning', terms('batter', false), 'abcdefg'],
  ['neighbours', phrase('solar batteri', [1]), 'cdef'],
  ['words with one between them', phrase('solar batteri', [2]), 'b'],
  ['the order of words', phrase('batteri solar', [1]), 'a'],
  ['three words', phrase('solar batteri charger', [1, 1]), 'c'],
  ['three words at different distances', phrase('solar batteri charger', [6, 1]), 'd'],
  ['a repeated word', phrase('solar batteri solar', [1, 6]), 'e'],
  ['words in the title', phrase('solar batteri', [1], true), 'd'],
  ['words far from each other', phrase('solar batteri', [16_381]), 'g'],
  ['a word that no row has', phrase('solar wind', [1]), ''],
];

describe('a segment', () => {
  it.each(FOUND)('finds %s', async (_, match, ids) => {
    expect(matching(await writtenSegment((writer) => addRows(writer, ROWS)), match)).toBe(ids);
  });

  it('finds each of many rows, whatever order they were added in', async () => {
    const ids = Array.from({ length: 6_000 }, (_, row) => String((row * 7_919) % 6_000).padStart(4, '0'));
    const segment = await writtenSegment((writer) =>
      addRows(
        writer,
        ids.map((id, row) => [id, `'batteri':${row + 1}`, row]),
      ),
    );
    expect(matching(segment, terms('batteri', true))).toBe([...ids].sort().join(''));
    const [found] = [...segment.termsWithPositions(wordKey('batteri'), true)];
    expect(found!.positions.read().map(placeOf)).toEqual([ids.indexOf('0000') + 1]);
  });

  it.each(FOUND)('merged from others finds %s, but no outdated rows', async (_, match, ids) => {
    const parts = [
      ROWS.slice(0, 2),
      [...ROWS.slice(2, 4), ['bb', `'batteri':2 'outdat':3 'solar':1`, 9] as const],
    ];
    const merged = await writtenSegment(async (writer) => {
      addRows(writer, ROWS.slice(4));
      for (const rows of parts) {
        const part = await writtenSegment((one) => addRows(one, rows as typeof ROWS));
        const outdated = emptyBitmap();
        for (let row = 0; row < part.rows; row += 1) if (part.idOf(row) === 'bb') setBit(outdated, row);
        await writer.addSegment(part, outdated);
      }
    });
    expect(matching(merged, match)).toBe(ids);
    expect([...merged.terms(wordKey('outdat'))]).toEqual([]);
    expect([...merged.column('score')]).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect([merged.sumOf('score'), merged.rangeOf('score')]).toEqual([28, { lowest: 1, highest: 7 }]);
    expect(matching(merged, { kind: 'terms', key: 'forum=chess', isWhole: false, field: null })).toBe(
      'abcdefg',
    );
  });
});
