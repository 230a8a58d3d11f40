import { parseArgs } from 'node:util';
import { startTestServers, TEST_DATABASE_REQUEST_URL, TEST_DATABASE_URL } from '../support/servers.js';
import { createSimulatedDatabase } from './cluster.js';
import { Simulator } from './simulation.js';
import { real } from './virtual-time.js';

const USAGE = 'Usage: npm run simulate -- --seed N [--days D] [--verbose], or --seeds A..B [--days D]';

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
  const days = Number(values.days);
  if (!(from <= to && days > 0)) throw new Error(USAGE);
  // A server of its own: which rows are final depends on the transactions of all its databases.
  const servers = await startTestServers((line) => say(line));
  process.env[TEST_DATABASE_URL] = servers.databaseUrl;
  process.env[TEST_DATABASE_REQUEST_URL] = servers.databaseRequestUrl;
  try {
    await simulate(from, to, days, values.verbose);
  } finally {
    await servers.stop();
  }
}

async function simulate(from: number, to: number, days: number, isVerbose: boolean): Promise<void> {
  const database = await createSimulatedDatabase();
  try {
    const simulator = new Simulator(database);
    simulator.install();
    for (let seed = from; seed <= to; seed += 1) {
      const began = real.now();
      const result = await simulator.run(seed, days, isVerbose ? say : null);
      const seconds = ((real.now() - began) / 1_000).toFixed(1);
      say(`Seed ${seed}, ${days} days: ${result.events} steps, history ${result.digest}, ${seconds} s`);
      if (result.violation === null) continue;
      say(`${result.lastLines}\n\n${result.violation}`);
      say(`Repeat it with: npm run simulate -- --seed ${seed} --days ${days}`);
      process.exitCode = 1;
      return;
    }
  } finally {
    await database.close();
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

await main();
