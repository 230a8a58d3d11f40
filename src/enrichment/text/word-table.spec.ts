import fc from 'fast-check';
import { WordTable } from './word-table.js';

describe('WordTable', () => {
  const words = new WordTable();

  it('finds a word by its position in a text, whatever its case', () => {
    const text = 'Good, GOOD or goof';
    const good = words.get('good');
    expect([words.find(text, 0, 4), words.find(text, 6, 10)]).toEqual([good, good]);
    expect(words.find(text, 6, 10)).toBe(good);
    expect(words.find(text, 14, 18).text).toBe('goof');
  });

  it('does not store texts that only look like words', () => {
    const long = 'x'.repeat(65);
    expect(words.get(long)).not.toBe(words.get(long));
    expect(words.find(long, 0, 64)).toBe(words.find(long, 0, 64));
  });

  it('gives the lower-case form of every letter', () => {
    const word = fc.string({ unit: 'binary', minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(word, word, (before, raw) => {
        const found = words.find(before + raw, before.length, before.length + raw.length);
        expect(found.text).toBe(raw.toLowerCase());
      }),
      { numRuns: 2_000, seed: 3 },
    );
  });
});
