import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compiled, prepare, ROOT, say } from './lib/prepare.mjs';

// `npm run bench -- NAME`: a benchmark, or a run under faults of `test/faults/runs`; both print figures as JSON.
const folders = ['scripts/bench', 'test/faults/runs'];
const runs = new Map(
  folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((file) => file.endsWith('.ts'))
      .map((file) => [file.slice(0, -'.ts'.length), folder]),
  ),
);
const [name] = process.argv.slice(2);
if (!runs.has(name)) {
  say(`usage: npm run bench -- NAME, where NAME is one of: ${[...runs.keys()].sort().join(', ')}`);
  process.exit(2);
}
await prepare(runs.get(name) === 'scripts/bench' ? 'build' : 'test');
const { stopBenchServers } = await compiled('scripts/bench/support/servers.js');
const { isMistake, reportFailure } = await compiled('src/cli/run-command.js');
const { run, USAGE } = await compiled(`${runs.get(name)}/${name}.js`);
try {
  const figures = await run(process.argv.slice(3));
  process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
  // Benchmarks that also check the stored results list the differences.
  if (figures.violations?.length > 0) process.exitCode = 1;
} catch (error) {
  if (isMistake(error)) process.exitCode = reportFailure(error, USAGE);
  else {
    say(error.stack);
    process.exitCode = 1;
  }
} finally {
  await stopBenchServers();
}
process.exit();
