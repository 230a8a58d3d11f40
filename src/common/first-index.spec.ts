import { firstIndex } from './first-index.js';

describe('firstIndex', () => {
  it.each([0, 1, 2, 5, 8])('finds every first index below %i from which a condition holds', (count) => {
    const asked: number[] = [];
    for (let first = 0; first <= count; first += 1)
      expect(
        firstIndex(count, (index) => {
          asked.push(index);
          return index >= first;
        }),
      ).toBe(first);
    expect(asked.filter((index) => index < 0 || index >= count)).toEqual([]);
  });
});
