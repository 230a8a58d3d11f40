import { jest } from '@jest/globals';
import { writtenSegment } from '../../../../test/factories/segments.js';
import { growthOf } from '../../../../test/support/growth.js';
import { countBits } from '../format/bitmap.js';
import { valueKey, wordKey } from '../format/term-keys.js';
import { PositionReader } from '../format/term-postings.js';
import type { Match } from './match.js';
import type { Segment } from './segment.js';

const slotsOf = (words: string) => words.split(' ').map((word) => [{ key: wordKey(word), isWhole: true }]);

const near = (words: string, distance: number, field: 'title' | 'text' | null = null): Match => ({
  kind: 'near',
  slots: slotsOf(words),
  distance,
  field,
});

const phrase = (words: string): Match => ({
  kind: 'phrase',
  slots: slotsOf(words),
  positions: words.split(' ').map((_, position) => position),
  field: null,
});

const segmentOf = (...vectors: string[]): Promise<Segment> =>
  writtenSegment((writer) => {
    for (const [row, vector] of vectors.entries()) writer.add([String(row), vector, 0, 10, 'chess', 'Chess']);
  });

describe('words near each other in a segment', () => {
  it.each([
    ['in any order', `'a':9 'b':1 'c':5`, near('a b c', 8), 1],
    ['too far apart', `'a':9 'b':1 'c':5`, near('a b c', 7), 0],
    ['found again later', `'a':1,50 'b':20,55`, near('a b', 5), 1],
    ['partly in the title', `'a':3A 'b':4`, near('a b', 5), 0],
    ['in the title', `'a':3A,90 'b':4A`, near('a b', 5, 'title'), 1],
    ['in the title, when the text is wanted', `'a':3A,90 'b':4A`, near('a b', 5, 'text'), 0],
    [
      'of any spelling',
      `'a':60 'aa':3 'b':5`,
      { ...near('a b', 5), slots: [slotsOf('a aa').flat(), ...slotsOf('b')] },
      1,
    ],
  ] as [string, string, Match, number][])('are %s', async (_, vector, match, rows) => {
    expect(countBits((await segmentOf(vector)).matching(match, []))).toBe(rows);
  });

  it('take time in proportion to their places', async () => {
    const words = Array.from({ length: 15 }, (_, word) => `w${word}`);
    const segments = new Map<number, Segment>();
    for (const places of [60, 120, 240]) {
      const positions = (word: number) =>
        Array.from({ length: places }, (_, at) => 1 + word + at * words.length);
      const vector = words.map((word, number) => `'${word}':${positions(number).join(',')}`).join(' ');
      segments.set(places, await segmentOf(`${vector} 'z':9000`));
    }
    const growth = await growthOf(
      (places) => segments.get(places)!.matching(near(`${words.join(' ')} z`, 100), []),
      60,
    );
    expect(growth).toBeLessThan(3);
  });
});

describe('a segment that was written before a property existed', () => {
  const property: Match = { kind: 'terms', key: valueKey('new', 'true', ''), isWhole: true, field: null };

  it.each([
    [property, 0],
    [{ kind: 'not', operand: property }, 1],
  ] as [Match, number][])('says that its rows lack it', async (match, rows) => {
    expect(countBits((await segmentOf(`'a':1`)).matching(match, []))).toBe(rows);
  });
});

describe('a phrase in a segment', () => {
  it('reads the places of a word once, however often it is repeated', async () => {
    const segment = await segmentOf(`'a':1,2,3,4,5 'b':6`);
    const read = jest.spyOn(PositionReader.prototype, 'read');
    expect(countBits(segment.matching(phrase('a a a a a b'), []))).toBe(1);
    expect(read).toHaveBeenCalledTimes(2);
    read.mockRestore();
  });
});
