import type pg from 'pg';
import { migrationNumbers } from '../../src/database/migration-state.js';
import { connect } from '../support/database.js';
import { createEmptyDatabase, type SteppedDatabase } from '../support/migrated-database.js';
import { until } from '../support/until.js';

const MIGRATION_LOCK = 7_264_113;
const MIGRATING = `SELECT state, xact_start IS NOT NULL AS "hasTransaction", backend_xmin IS NOT NULL AS "hasSnapshot"
  FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'wss-migrate'`;

let database: SteppedDatabase;
let client: pg.Client;
let first: number[];

beforeEach(async () => {
  database = await createEmptyDatabase();
  client = await connect(database.url);
  first = [Math.min(...(await migrationNumbers()))];
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

const tables = async (): Promise<number> =>
  (await client.query(`SELECT FROM pg_tables WHERE schemaname = 'public' AND tablename = 'posts'`)).rowCount!;

describe('a migration', () => {
  it('has no time limit, whichever limits its role has', async () => {
    await client.query(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET statement_timeout = ''1ms''', current_database()); END $$`,
    );

    await database.migrate(first);

    expect(await tables()).toBe(1);
  });

  it('waits for another one in a transaction that holds no snapshot', async () => {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const done = database.migrate(first);
    const waiting = await idleMigration();
    expect(await tables()).toBe(0);
    await client.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    await done;

    expect(waiting).toEqual([{ state: 'idle in transaction', hasTransaction: true, hasSnapshot: false }]);
    expect(await tables()).toBe(1);
  });
});

/** The connections of a migration once it waits between two attempts to get the lock. */
async function idleMigration(): Promise<object[]> {
  return until(
    async () => (await client.query<{ state: string | null }>(MIGRATING)).rows,
    (rows) => rows.length > 0 && rows.every(({ state }) => state?.startsWith('idle in') === true),
  );
}
