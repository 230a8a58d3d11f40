import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

interface Times {
  seconds: number;
  slowest: { file: string; seconds: number }[];
}
// A plain module outside the compiled tree, since a script loads it.
const { linesOf, timesOf } = (await import(
  pathToFileURL(join(import.meta.dirname, '../../scripts/lib/stage-times.mjs')).href
)) as {
  linesOf: (stage: string, times: Times, budget?: number) => string[];
  timesOf: (result: object, most?: number) => Times;
};

const file = (name: string, startTime: number, endTime: number) => ({
  name: `/clone/dist/test/${name}.spec.js`,
  startTime,
  endTime,
});

describe('the time of a stage', () => {
  const result = {
    startTime: 10_000,
    testResults: [file('short', 12_000, 13_000), file('long', 12_000, 72_000), file('late', 70_000, 75_000)],
  };

  it('ends with its last file, and names the slowest files', () => {
    expect(timesOf(result, 2)).toEqual({
      seconds: 65,
      slowest: [
        { file: 'test/long.spec.ts', seconds: 60 },
        { file: 'test/late.spec.ts', seconds: 5 },
      ],
    });
  });

  it('is 0 without files', () => {
    expect(timesOf({ startTime: 10_000, testResults: [] })).toEqual({ seconds: 0, slowest: [] });
  });

  it.each([
    [66, 'test: 65 s, of 66 s'],
    [65, 'test: 65 s, of 65 s'],
    [64, 'test: 65 s, MORE THAN 64 s'],
    [undefined, 'test: 65 s, no budget'],
  ])('is compared with a budget of %s s', (budget, line) => {
    expect(linesOf('test', timesOf(result, 0), budget)).toEqual([line]);
  });
});
