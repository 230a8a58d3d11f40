import { chunksOf, firstIndex, givenEntries, readInChunks } from './collections.js';

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

it('equal filters give equal entries in any order', () => {
  expect(givenEntries({ b: 1, c: undefined, a: null })).toEqual([
    ['a', null],
    ['b', 1],
  ]);
});

it('reads items in chunks, and joins the results', async () => {
  const asked: number[][] = [];
  const read = (some: number[]) => (asked.push(some), Promise.resolve(some.map((one) => one * 10)));
  expect(await readInChunks([1, 2, 3], 2, read)).toEqual([10, 20, 30]);
  expect(asked).toEqual([[1, 2], [3]]);
});

describe('chunksOf', () => {
  it.each([
    [[], []],
    [[1, 2], [[1, 2]]],
    [
      [1, 2, 3, 4, 5],
      [[1, 2], [3, 4], [5]],
    ],
  ])('divides %j into %j', (items, chunks) => {
    expect([...chunksOf<number>(items, 2)]).toEqual(chunks);
  });
});
