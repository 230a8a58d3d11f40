import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { ROOT, say } from './lib/prepare.mjs';
import { linesOf, timesOf } from './lib/stage-times.mjs';

// `npm run times -- RESULT.json…`: how long the stages of a run took, from Jest's JSON results, whose names are those of
// the npm scripts, e.g. `test:browser.json`. Exits with 1 when a stage took longer than its budget, in seconds on two
// idle cores, in test/stage-budgets.json.
const budgets = JSON.parse(readFileSync(`${ROOT}/test/stage-budgets.json`, 'utf8'));
const files = process.argv.slice(2);
if (files.length === 0) {
  say(
    'Usage: npm run times -- RESULT.json…, the results of `npm test -- --json --outputFile=test.json`, for instance.',
  );
  process.exit(1);
}
for (const file of files) {
  const stage = basename(file, '.json');
  const times = timesOf(JSON.parse(readFileSync(file, 'utf8')));
  for (const line of linesOf(stage, times, budgets[stage])) console.log(line);
  if (times.seconds > budgets[stage]) process.exitCode = 1;
}
