import fc from 'fast-check';
import { merged, nearStarts, phraseStarts, placeIn, type Places } from './word-places.js';

const placesArbitrary = fc
  .uniqueArray(fc.integer({ min: 1, max: 30 }), { maxLength: 12 })
  .map((places) => places.sort((a, b) => a - b));
const wordsArbitrary = fc.array(placesArbitrary, { minLength: 1, maxLength: 4 });

/** The words with their reads counted. */
function counted(words: readonly Places[]): { words: Places[]; reads: () => number } {
  let reads = 0;
  const get = (places: Places, key: string | symbol): unknown => {
    reads += 1;
    return Reflect.get(places, key);
  };
  return { words: words.map((places) => new Proxy(places, { get })), reads: () => reads };
}

const everyPlace = (count: number): Places => Array.from({ length: count }, (_, place) => place + 1);

describe('the places of words', () => {
  it('are merged in ascending order', () => {
    expect(merged([[1, 5], [3, 9], [4]])).toEqual([1, 3, 4, 5, 9]);
    expect(merged([])).toEqual([]);
  });

  it('in the title come before those in the text, and far from them', () => {
    expect(placeIn(16_383, true)).toBeLessThan(placeIn(1, false) - 100);
    expect(nearStarts([[placeIn(9, true)], [placeIn(10, false)]], 100)).toEqual([]);
  });

  it('start a phrase where every word has its distance', () => {
    fc.assert(
      fc.property(
        wordsArbitrary,
        fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 4 }),
        (words, gaps) => {
          const distances = words.map((_, index) => gaps.slice(0, index).reduce((sum, gap) => sum + gap, 0));
          const expected = words[0]!.filter((start) =>
            words.every((places, index) => places.includes(start + distances[index]!)),
          );
          expect(phraseStarts(words, distances)).toEqual(expected);
        },
      ),
      { seed: 44, numRuns: 1_000 },
    );
  });

  it('are read in few steps where few starts of a phrase are left', () => {
    const { words, reads } = counted([[1_000], everyPlace(2_000), everyPlace(2_000)]);
    expect(phraseStarts(words, [0, 1, 2])).toEqual([1_000]);
    expect(reads()).toBeLessThan(200);
  });

  it('start words near each other where every word follows within the distance', () => {
    fc.assert(
      fc.property(wordsArbitrary, fc.integer({ min: 1, max: 9 }), (words, distance) => {
        const starts = [...new Set(words.flat())].sort((a, b) => a - b);
        const expected = starts.filter((start) =>
          words.every((places) => places.some((place) => place >= start && place - start <= distance)),
        );
        expect(nearStarts(words, distance)).toEqual(expected);
      }),
      { seed: 44, numRuns: 1_000 },
    );
  });

  it.each([
    ['a phrase', (words: Places[]) => phraseStarts(words, everyPlace(words.length))],
    ['words near each other', (words: Places[]) => nearStarts(words, 100)],
  ])('are read as often as they occur for %s', (_, find) => {
    const readsOf = (size: number): number => {
      const { words, reads } = counted([everyPlace(size), everyPlace(size), everyPlace(size)]);
      find(words);
      return reads();
    };
    const [once, twice, fourTimes] = [250, 500, 1_000].map(readsOf);
    expect(twice).toBeLessThan(2.1 * once!);
    expect(fourTimes).toBeLessThan(2.1 * twice!);
  });
});
