import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { ROOT, say } from './lib/prepare.mjs';
import { countsOf, filesOf, linesOf, timesOf } from './lib/stage-times.mjs';

// `npm run times -- [--write] RESULT.json…`: how many tests of each suite passed in a run and how long it took, from
// Jest's JSON results, whose names are those of the npm scripts, e.g. `test:all.json`. Exits with 1 when a run took
// longer than its budget, in seconds on two idle cores, in test/stage-budgets.json. With `--write`, the times of the
// long files become the order of the next runs (test/sequencer.cjs).
const LEAST_SECONDS = 5;
const budgets = JSON.parse(readFileSync(`${ROOT}/test/stage-budgets.json`, 'utf8'));
const files = process.argv.slice(2).filter((argument) => argument !== '--write');
if (files.length === 0) {
  say(
    'Usage: npm run times -- [--write] RESULT.json…, the results of `npm test -- --json --outputFile=test.json`, for instance.',
  );
  process.exit(1);
}
const results = files.map((file) => JSON.parse(readFileSync(file, 'utf8')));
results.forEach((result, index) => {
  const stage = basename(files[index], '.json');
  const times = timesOf(result);
  for (const line of [...countsOf(result), ...linesOf(stage, times, budgets[stage])]) console.log(line);
  if (times.seconds > budgets[stage]) process.exitCode = 1;
});
if (process.argv.includes('--write')) {
  const long = results.flatMap(filesOf).filter(({ seconds }) => seconds >= LEAST_SECONDS);
  const seconds = Object.fromEntries(long.map(({ file, seconds }) => [file, seconds]).sort());
  writeFileSync(`${ROOT}/test/file-seconds.json`, `${JSON.stringify(seconds, null, 2)}\n`);
}
