import { startTestServers, TEST_DATABASE_REQUEST_URL, TEST_DATABASE_URL } from '../support/servers.js';
import { createSimulatedDatabase } from './cluster.js';
import { Simulator } from './simulation.js';
import { real } from './virtual-time.js';

/** Simulates one seed; the exit code is 1 when an invariant did not hold. */
async function main([seed, days, isVerbose]: readonly string[]): Promise<void> {
  // A server of its own: which rows are final depends on the transactions of all its databases, earlier ones too.
  const servers = await startTestServers(say);
  process.env[TEST_DATABASE_URL] = servers.databaseUrl;
  process.env[TEST_DATABASE_REQUEST_URL] = servers.databaseRequestUrl;
  try {
    await simulate(Number(seed), Number(days), isVerbose === 'true');
  } finally {
    await servers.stop();
  }
}

async function simulate(seed: number, days: number, isVerbose: boolean): Promise<void> {
  const database = await createSimulatedDatabase();
  try {
    const simulator = new Simulator(database);
    simulator.install();
    const began = real.now();
    const result = await simulator.run(seed, days, isVerbose ? say : null);
    const seconds = ((real.now() - began) / 1_000).toFixed(1);
    say(`Seed ${seed}, ${days} days: ${result.events} steps, history ${result.digest}, ${seconds} s`);
    if (result.violation === null) return;
    say(`${result.lastLines}\n\n${result.violation}`);
    say(`Repeat it with: npm run simulate -- --seed ${seed} --days ${days}`);
    process.exitCode = 1;
  } finally {
    await database.close();
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

await main(process.argv.slice(2));
