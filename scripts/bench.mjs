import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compiled, prepare, ROOT, say } from './lib/prepare.mjs';

await prepare();
const names = readdirSync(join(ROOT, 'dist/scripts/bench'), { withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.js'))
  .map((entry) => entry.name.slice(0, -'.js'.length));
const [name] = process.argv.slice(2);
if (!names.includes(name)) {
  say(`usage: npm run bench -- NAME, where NAME is one of: ${names.join(', ') || '(none yet)'}`);
  process.exit(2);
}
const { stopBenchServers } = await compiled('scripts/bench/support/servers.js');
const { isMistake, reportFailure } = await compiled('src/cli/run-command.js');
const { run, USAGE } = await compiled(`scripts/bench/${name}.js`);
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
