import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

interface Times {
  seconds: number;
  slowest: { file: string; seconds: number }[];
}
// A plain module outside the compiled tree, since a script loads it.
const { countsOf, linesOf, timesOf } = (await import(
  pathToFileURL(join(import.meta.dirname, '../../scripts/lib/stage-times.mjs')).href
)) as {
  countsOf: (result: object) => string[];
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

describe('the number of tests', () => {
  const of = (name: string, ...statuses: string[]) => ({
    name: `/clone/dist/${name}.spec.js`,
    status: 'failed',
    assertionResults: statuses.map((status) => ({ status })),
  });

  it('is counted for each suite, and a file that could not be loaded has failed', () => {
    const testResults = [
      of('src/common/ids', 'passed', 'passed'),
      of('test/e2e/mcp', 'passed', 'pending'),
      of('test/browser/search', 'passed', 'failed'),
      of('test/faults/streams'),
    ];
    expect(countsOf({ testResults })).toEqual([
      'browser: 1 failed, 1 passed',
      'faults: 1 failed',
      'test: 1 pending, 3 passed',
    ]);
  });
});

describe('the order of test files', () => {
  it('begins with the longest, and ends with those that run one by one', async () => {
    const root = join(import.meta.dirname, '../..');
    const { default: Sequencer } = (await import(join(root, 'test/sequencer.cjs'))) as {
      default: new (options: object) => { sort: (tests: object[]) => object[] };
    };
    const seconds = JSON.parse(readFileSync(join(root, 'test/file-seconds.json'), 'utf8')) as object;
    const [longest] = Object.entries(seconds).sort(([, one], [, other]) => other - one)[0]!;
    const at = (path: string, runner = 'jest-runner') => ({ path, context: { config: { runner } } });
    const alone = at('/clone/dist/test/faults/event-loop.spec.js', '/clone/test/one-by-one-runner.cjs');
    const short = at('/clone/dist/src/none.spec.js');
    const long = at(`/clone/dist/${longest.replace(/ts$/, 'js')}`);
    expect(new Sequencer({}).sort([alone, short, long])).toEqual([long, short, alone]);
  });
});
