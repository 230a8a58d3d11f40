import { spawnSync } from 'node:child_process';
import { runJest } from './lib/jest.mjs';
import { LONG_RUN_NAMES, specOf } from './lib/long-runs.mjs';
import { prepare, ROOT } from './lib/prepare.mjs';

// `npm run test:long`: the long runs of test/faults, which `.ci/run` leaves out when no change makes them necessary, and
// every supported version of Node.js, and three hundred faults.
await prepare('test');
const nodes = spawnSync(process.execPath, ['scripts/run.cjs', 'test-nodes', '--all'], {
  cwd: ROOT,
  stdio: 'inherit',
});
if (nodes.status !== 0) process.exit(1);
const mutants = spawnSync('npm', ['run', '-s', 'mutants', '--', '--count', '300'], {
  cwd: ROOT,
  stdio: 'inherit',
});
if (mutants.status !== 0) process.exit(1);
delete process.env.CI_BASE;
await runJest([
  '--config',
  'jest.faults.config.mjs',
  ...LONG_RUN_NAMES.map(specOf),
  ...process.argv.slice(2),
]);
