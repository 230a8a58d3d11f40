/** The suites of a run of all tests, by the folder of their files below `test`; the others are of `npm test`. */
const SUITES = ['browser', 'programs', 'faults'];

const fileOf = ({ name }) => name.replace(/^.*\/dist\//, '').replace(/\.js$/, '.ts');

/** Test files with the seconds that they took, the longest first, from Jest's JSON result. */
export const filesOf = ({ testResults }) =>
  testResults
    .map((one) => ({ file: fileOf(one), seconds: Math.round((one.endTime - one.startTime) / 1_000) }))
    .sort((a, b) => b.seconds - a.seconds);

/**
 * How long a stage of tests took and what took longest, from Jest's JSON result.
 *
 * @param {{ startTime: number, testResults: { name: string, startTime: number, endTime: number }[] }} result times in ms
 * @returns {{ seconds: number, slowest: { file: string, seconds: number }[] }} `seconds` until the last file ended
 */
export function timesOf(result, most = 5) {
  const ended = Math.max(result.startTime, ...result.testResults.map(({ endTime }) => endTime));
  return { seconds: Math.round((ended - result.startTime) / 1_000), slowest: filesOf(result).slice(0, most) };
}

/** The tests of each suite by their outcome, one line for each suite that ran, e.g. `browser: 194 passed`. */
export function countsOf({ testResults }) {
  const suites = new Map();
  for (const result of testResults) {
    const folder = /^test\/(\w+)\//.exec(fileOf(result))?.[1];
    const suite = SUITES.includes(folder) ? folder : 'test';
    const counts = suites.get(suite) ?? new Map();
    // A file that could not be loaded has failed, though no test of it was counted.
    const statuses = result.assertionResults.map(({ status }) => status);
    if (statuses.length === 0) statuses.push(result.status);
    for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
    suites.set(suite, counts);
  }
  return [...suites].sort().map(
    ([suite, counts]) =>
      `${suite}: ${[...counts]
        .map(([status, count]) => `${count} ${status}`)
        .sort()
        .join(', ')}`,
  );
}

/** One line for a stage, and one for each of its slowest files. */
export function linesOf(stage, { seconds, slowest }, budget) {
  const judgement =
    budget === undefined ? 'no budget' : `${seconds > budget ? 'MORE THAN' : 'of'} ${budget} s`;
  return [
    `${stage}: ${seconds} s, ${judgement}`,
    ...slowest.map((one) => `  ${String(one.seconds).padStart(4)} s  ${one.file}`),
  ];
}
