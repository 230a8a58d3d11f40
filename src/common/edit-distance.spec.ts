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

  it('is above the given number when it takes more', () => {
    expect(editDistance('abcdef', 'uvwxyz', 2)).toBe(3);
    expect(editDistance('abc', 'abcdef', 2)).toBe(3);
  });
});
