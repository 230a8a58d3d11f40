import { growthOf } from '../../test/support/growth.js';
import { editDistance } from './edit-distance.js';

describe('editDistance', () => {
  it.each([
    ['abc', 'abc', 0],
    ['abc', 'acb', 1],
    ['abc', 'ab', 1],
    ['abc', 'xbcd', 2],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
  ])('from %s to %s is %d', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
  });

  it.each([0, 1, 2, 3])('up to %d is the same as without a bound', (most) => {
    const texts = ['', 'a', 'ab', 'ba', 'abc', 'acb', 'bca', 'abab', 'baab', 'aabbc', 'cabba', 'abcabc'];
    for (const a of texts)
      for (const b of texts)
        expect([a, b, Math.min(editDistance(a, b, most), most + 1)]).toEqual([
          a,
          b,
          Math.min(editDistance(a, b), most + 1),
        ]);
  });

  it('up to a bound takes time in proportion to the length', async () => {
    const distance = (size: number) => editDistance(`${'a'.repeat(size)}xyz`, `xyz${'a'.repeat(size)}`, 2);
    expect(await growthOf(distance, 500)).toBeLessThan(3);
  });

  it('is above the given number when it takes more', () => {
    expect(editDistance('abcdef', 'uvwxyz', 2)).toBe(3);
    expect(editDistance('abc', 'abcdef', 2)).toBe(3);
  });
});
