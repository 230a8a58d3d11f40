import { decodeColumn, encodeColumn, hashId, SegmentIds } from './segment-blocks.js';

describe('the ids of a segment', () => {
  const all = Array.from({ length: 2_000 }, (_, at) => `t3_${at + 10_000}`);
  const even = all.filter((_, at) => at % 2 === 0);
  const ids = SegmentIds.decode(SegmentIds.encode(even));

  it('are found at their rows; unknown ids are not found', () => {
    expect(all.map((id) => ids.find(id, hashId(id)))).toEqual(
      all.map((_, at) => (at % 2 === 0 ? at / 2 : -1)),
    );
  });

  it('are known to have none beyond the first and the last', () => {
    const [first, last] = [even[0]!, even.at(-1)!];
    expect(ids.mayHaveBetween('t3_0', first)).toBe(true);
    expect(ids.mayHaveBetween(last, 't3_9')).toBe(true);
    expect(ids.mayHaveBetween('t3_0', 't3_1')).toBe(false);
    expect(ids.mayHaveBetween('t3_8', 't3_9')).toBe(false);
    expect(SegmentIds.decode(SegmentIds.encode([])).mayHaveBetween('t3_0', 't3_9')).toBe(false);
  });
});

describe('a column', () => {
  it.each([
    [Uint16Array, [0, 65_535]],
    [Int32Array, [-1, 3]],
    [Int32Array, [65_536, 2 ** 31 - 1, -(2 ** 31)]],
    [Float64Array, [2 ** 31]],
    [Float64Array, [-(2 ** 31) - 1]],
    [Float64Array, [1, 0.5]],
  ])('is kept as %p when that has all of %p', (form, numbers) => {
    const column = decodeColumn(encodeColumn(numbers));
    expect(column).toBeInstanceOf(form);
    expect([...column]).toEqual(numbers);
  });
});
