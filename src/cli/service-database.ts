import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../config/environment.js';
import { AT_ONCE, awaitServers } from '../infrastructure/await-servers.js';
import { DataDirInUseError } from '../launcher/data-dir-lock.js';
import { runningServers, startEmbeddedDatabase } from '../launcher/embedded-servers.js';

const START_WAIT_MS = 120_000;
const POLL_MS = 200;

/** The variables of a command that has a Postgres. */
export type DatabaseEnvironment = Environment & { DATABASE_URL: string };

/**
 * Runs `work` with the Postgres of `DATABASE_URL`, or that of a service running in `DATA_DIR`, or one that is started
 * there for the command. Throws a sentence with the remedy when there is none.
 */
export async function withServiceDatabase<T>(
  environment: Environment,
  work: (environment: DatabaseEnvironment) => Promise<T>,
): Promise<T> {
  const { DATABASE_URL, DATA_DIR } = environment;
  if (DATABASE_URL !== undefined) {
    await awaitServers({ DATABASE_URL }, () => undefined, AT_ONCE);
    return work({ ...environment, DATABASE_URL });
  }
  const database = await findDatabase(DATA_DIR);
  try {
    return await work({ ...environment, DATABASE_URL: database.databaseUrl });
  } finally {
    await database.stop();
  }
}

async function findDatabase(dataDir: string): Promise<{ databaseUrl: string; stop(): Promise<void> }> {
  const deadline = performance.now() + START_WAIT_MS;
  for (;;) {
    const running = await runningServers(dataDir);
    if (running !== null) return { databaseUrl: running.databaseUrl, stop: () => Promise.resolve() };
    try {
      return await startEmbeddedDatabase({ dataDir, log: console.error });
    } catch (error) {
      // A starting service locks the folder before its servers accept connections.
      if (!(error instanceof DataDirInUseError) || performance.now() > deadline) throw error;
      await sleep(POLL_MS);
    }
  }
}
