import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { TEST_DATABASE_URL } from './servers.js';
import { connect } from './database.js';

const PROGRAM = join(import.meta.dirname, 'migrate-run.js');
const TIMEOUT_MS = 60_000;

/** A database that a test migrates step by step. */
export interface SteppedDatabase {
  url: string;
  /** Applies the migrations with these numbers, one call after another in one process; throws after a minute. */
  migrate(numbers: readonly number[]): Promise<void>;
  drop(): Promise<void>;
}

/** Creates a database without a schema, by default on the test run's server and owned by its superuser. */
export async function createEmptyDatabase({
  server = process.env[TEST_DATABASE_URL]!,
  owner,
}: {
  server?: string;
  owner?: { name: string; password: string };
} = {}): Promise<SteppedDatabase> {
  const admin = await connect(server);
  const name = `stepped_${randomUUID().replaceAll('-', '')}`;
  await admin.query(`CREATE DATABASE ${name} ${owner ? `OWNER ${owner.name}` : ''}`);
  const address = new URL(server);
  if (owner) [address.username, address.password] = [owner.name, owner.password];
  address.pathname = `/${name}`;
  const url = address.href;
  let child: ChildProcess | undefined;
  return {
    url,
    migrate: async (numbers) => {
      child ??= fork(PROGRAM, {
        env: { ...process.env, DATABASE_URL: url },
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      });
      child.send(numbers.map(String));
      const [failure] = (await once(child, 'message', { signal: AbortSignal.timeout(TIMEOUT_MS) })) as [
        string,
      ];
      if (failure !== '') throw new Error(failure);
    },
    drop: async () => {
      child?.kill();
      await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await admin.end();
    },
  };
}
