import { SKIPPED } from '../dist/test/support/skip-unless.js';
import { say } from '../scripts/lib/prepare.mjs';

/**
 * The lines that name skipped tests: one for each outermost block and reason, with the number of tests. Takes the
 * results of test files as Jest gives them to reporters.
 */
export function skippedLines(files) {
  const counts = new Map();
  for (const { ancestorTitles, title, status } of files.flatMap(({ testResults }) => testResults)) {
    const at = ancestorTitles.findIndex((one) => one.startsWith(SKIPPED));
    if (status !== 'pending' || at === -1) continue;
    const [name = title] = ancestorTitles.filter((one) => !one.startsWith(SKIPPED));
    const line = JSON.stringify([name, ancestorTitles[at].slice(SKIPPED.length)]);
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return [...counts].map(([line, count]) => {
    const [name, reason] = JSON.parse(line);
    return `Skipped: ${name} (${count} ${count === 1 ? 'test' : 'tests'}): ${reason}`;
  });
}

/** Names the skipped tests of a run and the reasons in the last lines of its standard error, after Jest's summary. */
export default class SkipReporter {
  onRunComplete(_contexts, { testResults }) {
    const lines = skippedLines(testResults);
    process.once('exit', () => lines.forEach(say));
  }
}
