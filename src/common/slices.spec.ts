import { mapInSlices } from './slices.js';

describe('mapInSlices', () => {
  it('maps in order and yields when a time slice is used up', async () => {
    let time = 0;
    let turns = 0;
    let done = false;
    const countTurns = (): void => {
      turns++;
      if (!done) setImmediate(countTurns);
    };
    setImmediate(countTurns);
    const results = await mapInSlices(
      Array.from({ length: 10 }, (_one, at) => at),
      (item) => {
        time += 10;
        return item * 2;
      },
      () => time,
    );
    done = true;
    expect(results).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16, 18]);
    // 100 ms of work in slices of 20 ms: four pauses.
    expect(turns).toBe(4);
  });

  it('does not pause for little work', async () => {
    expect(
      await mapInSlices(
        ['a', 'b'],
        (item) => item.toUpperCase(),
        () => 0,
      ),
    ).toEqual(['A', 'B']);
  });
});
