import { spawnSync } from 'node:child_process';
import { installByApt } from './lib/apt.mjs';
import { runJest } from './lib/jest.mjs';
import { LONG_RUN_NAMES, specOf } from './lib/long-runs.mjs';
import { prepare, ROOT } from './lib/prepare.mjs';

// `npm run test:long`: the long runs of test/faults, which `.ci/run` leaves out when no change makes them necessary,
// every supported version of Node.js, three hundred faults, three hundred simulated seeds, and the ratios of the
// benchmarks against their table.
await prepare('test');
for (const program of [
  ['test-nodes', '--all'],
  ['mutants', '--count', '300'],
  ['simulate', '--seeds', '1..300', '--days', '10'],
  ['bench', 'gate'],
]) {
  const { status } = spawnSync(process.execPath, ['scripts/run.cjs', ...program], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(1);
}
const { hasRabbitMq } = await import('../dist/test/faults/support/rabbitmq.js');
const { hasNatsServer } = await import('../dist/test/faults/support/nats-server.js');
if (!hasRabbitMq()) installByApt('rabbitmq-server');
if (!hasNatsServer()) installByApt('nats-server');
await runJest([
  '--config',
  'jest.faults.config.mjs',
  ...LONG_RUN_NAMES.map(specOf),
  ...process.argv.slice(2),
]);
