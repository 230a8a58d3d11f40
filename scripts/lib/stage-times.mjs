/**
 * How long a stage of tests took and what took longest, from Jest's JSON result.
 *
 * @param {{ startTime: number, testResults: { name: string, startTime: number, endTime: number }[] }} result times in ms
 * @returns {{ seconds: number, slowest: { file: string, seconds: number }[] }} `seconds` until the last file ended
 */
export function timesOf({ startTime, testResults }, most = 5) {
  const files = testResults
    .map((one) => ({
      file: one.name.replace(/^.*\/dist\//, '').replace(/\.js$/, '.ts'),
      seconds: Math.round((one.endTime - one.startTime) / 1_000),
    }))
    .sort((a, b) => b.seconds - a.seconds);
  const ended = Math.max(startTime, ...testResults.map(({ endTime }) => endTime));
  return { seconds: Math.round((ended - startTime) / 1_000), slowest: files.slice(0, most) };
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
