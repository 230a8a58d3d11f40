import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const USAGE = 'Usage: npm run simulate -- --seed N [--days D] [--verbose], or --seeds A..B [--days D]';
const SEED_PROGRAM = join(import.meta.dirname, 'run-seed.js');

/** Simulates the seeds that the command names; the exit code is 1 when an invariant did not hold. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      seeds: { type: 'string' },
      days: { type: 'string', default: '5' },
      verbose: { type: 'boolean', default: false },
    },
  });
  const [from, to] = (values.seeds ?? `${values.seed}..${values.seed}`).split('..').map(Number) as [
    number,
    number,
  ];
  if (!(from <= to && Number(values.days) > 0)) throw new Error(USAGE);
  // A process for each: what one seed leaves in memory would change the history of the next.
  for (let seed = from; seed <= to && !process.exitCode; seed += 1) {
    const child = fork(SEED_PROGRAM, [String(seed), values.days, String(values.verbose)]);
    [process.exitCode] = (await once(child, 'exit')) as [number | undefined];
  }
}

await main();
