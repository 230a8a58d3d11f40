import { execFile } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { runSqlOn } from '../../src/database/run-sql.js';
import { findGap, type RowSecurityGap } from '../../src/database/secured-rows.js';
import { migrationNumbers } from '../../src/database/migration-state.js';
import { startEmbeddedDatabase } from '../../src/launcher/embedded-servers.js';
import { connect, asRequestOf, openDataSource } from '../support/database.js';
import { createEmptyDatabase, type SteppedDatabase } from '../support/migrated-database.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const DB = join(import.meta.dirname, '../../src/cli/db.js');
const PASSWORD = 'p';

/** A separate cluster, because roles belong to a cluster and that of the other tests already has the role. */
let cluster: Awaited<ReturnType<typeof startEmbeddedDatabase>>;

const folder = await temporaryFolder();
beforeAll(async () => {
  await chmod(folder, 0o711);
  cluster = await startEmbeddedDatabase({
    dataDir: join(folder, 'data'),
    log: () => undefined,
    asSuperuser: true,
  });
  // A new cluster has the role of requests, whose absence is tested here.
  await administer(`DROP ROLE IF EXISTS wss_workspace;
    CREATE ROLE plain LOGIN PASSWORD '${PASSWORD}';
    CREATE ROLE creator LOGIN CREATEROLE PASSWORD '${PASSWORD}';
    CREATE ROLE guest LOGIN PASSWORD '${PASSWORD}'`);
});

afterAll(async () => {
  await cluster.stop();
});

const databases: SteppedDatabase[] = [];

afterEach(async () => {
  for (const database of databases.splice(0)) await database.drop();
  await administer('DROP ROLE IF EXISTS wss_workspace');
});

async function onDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connect(url);
  return work(client).finally(() => client.end());
}

const administer = (sql: string): Promise<unknown> =>
  onDatabase(cluster.databaseUrl, (client) => client.query(sql));

async function migratedDatabase(owner: 'plain' | 'creator'): Promise<SteppedDatabase> {
  const database = await createEmptyDatabase({
    server: cluster.databaseUrl,
    owner: { name: owner, password: PASSWORD },
  });
  databases.push(database);
  await database.migrate(await migrationNumbers());
  return database;
}

const gapOf = (url: string): Promise<RowSecurityGap | null> =>
  onDatabase(url, (client) => findGap(runSqlOn(client)));

function applyTo(url: string): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((done) =>
    execFile(
      process.execPath,
      [DB, 'row-security'],
      { env: { PATH: process.env.PATH, DATABASE_URL: url } },
      (error, stdout, stderr) =>
        done({ code: Number(error?.code ?? 0), stdout: stdout.trim(), stderr: stderr.trim() }),
    ),
  );
}

/**
 * How many of two workspaces are visible to a request of one of them that lacks its condition, and to the service
 * itself.
 */
async function visible(url: string): Promise<{ request: number; service: number }> {
  const dataSource = await openDataSource(url);
  const count = async (): Promise<number> =>
    (await dataSource.query<unknown[]>('SELECT id FROM workspaces')).length;
  const [{ id }] = await dataSource.query<[{ id: string }]>(
    `INSERT INTO workspaces (id, name) VALUES (gen_random_uuid(), 'a'), (gen_random_uuid(), 'b') RETURNING id`,
  );
  const request = await asRequestOf(id, count);
  return { request, service: await count() };
}

describe('row-level security', () => {
  it('is left out where the owner may not create the role', async () => {
    const { url } = await migratedDatabase('plain');
    const policies = `SELECT FROM pg_policies`;
    expect(await onDatabase(url, async (client) => (await client.query(policies)).rowCount)).toBe(0);
    const gap = await gapOf(url);
    expect(gap).toEqual({
      reason: 'The role wss_workspace does not exist',
      remedy:
        'As an administrator: CREATE ROLE wss_workspace NOLOGIN; GRANT wss_workspace TO "plain". Run npm run db -- row-security, then restart the service',
    });
    expect(await applyTo(url)).toEqual({ code: 1, stdout: '', stderr: `${gap!.reason}. ${gap!.remedy}` });

    await administer('CREATE ROLE wss_workspace NOLOGIN');
    expect(await gapOf(url)).toEqual({
      reason: 'plain may not work as the role wss_workspace',
      remedy:
        'As an administrator: GRANT wss_workspace TO "plain". Run npm run db -- row-security, then restart the service',
    });
    await administer('GRANT wss_workspace TO plain');
    expect(await gapOf(url)).toMatchObject({ reason: expect.stringContaining('posts') as string });
    for (let times = 1; times <= 2; times += 1)
      expect(await applyTo(url)).toMatchObject({ code: 0, stderr: '' });
    expect(await gapOf(url)).toBeNull();
    expect(await visible(url)).toEqual({ request: 1, service: 2 });

    // A restored dump has the policies, but not the rights of a role that was missing during the restore.
    await onDatabase(url, (client) => client.query('REVOKE UPDATE ON jobs FROM wss_workspace'));
    expect(await gapOf(url)).toEqual({
      reason: 'These tables lack a policy or a right: jobs',
      remedy: expect.stringContaining('npm run db -- row-security') as string,
    });
    expect(await applyTo(url)).toMatchObject({ code: 0, stderr: '' });
  });

  it('comes with the migrations of an owner who may create the role', async () => {
    for (const { url } of await Promise.all([migratedDatabase('creator'), migratedDatabase('creator')])) {
      expect(await gapOf(url)).toBeNull();
      expect(await visible(url)).toEqual({ request: 1, service: 2 });
    }
  });

  it('needs views of all columns, in a schema that an administrator may have to create', async () => {
    const { url } = await migratedDatabase('creator');
    const inDatabase = new URL(cluster.databaseUrl);
    inDatabase.pathname = new URL(url).pathname;
    const change = (sql: string): Promise<unknown> =>
      onDatabase(inDatabase.href, (client) => client.query(sql));
    const lacking = (tables: string): RowSecurityGap => ({
      reason: `These tables lack a view or a right to it: ${tables}`,
      remedy: 'Run npm run db -- row-security, then restart the service',
    });

    await change('ALTER TABLE posts ADD COLUMN added text');
    expect(await gapOf(url)).toEqual(lacking('posts'));
    expect(await applyTo(url)).toMatchObject({ code: 0, stderr: '' });
    await change('REVOKE SELECT ON workspace_rows.comments FROM wss_workspace');
    expect(await gapOf(url)).toEqual(lacking('comments'));
    expect(await applyTo(url)).toMatchObject({ code: 0, stderr: '' });
    expect(await gapOf(url)).toBeNull();

    await change(`DROP SCHEMA workspace_rows CASCADE;
        REVOKE CREATE ON DATABASE ${inDatabase.pathname.slice(1)} FROM creator`);
    expect(await applyTo(url)).toMatchObject({ code: 1 });
    expect(await gapOf(url)).toEqual({
      reason: 'creator may not create views in the schema workspace_rows',
      remedy:
        'As an administrator: CREATE SCHEMA IF NOT EXISTS workspace_rows; ALTER SCHEMA workspace_rows OWNER TO "creator". Run npm run db -- row-security, then restart the service',
    });
    await change('CREATE SCHEMA workspace_rows; ALTER SCHEMA workspace_rows OWNER TO creator');
    expect(await gapOf(url)).toEqual(lacking('comments, posts'));
    expect(await applyTo(url)).toMatchObject({ code: 0, stderr: '' });
    expect(await gapOf(url)).toBeNull();
  });

  it('is not used by a service that does not own its tables', async () => {
    const { url } = await migratedDatabase('creator');
    await administer('GRANT wss_workspace TO guest');
    const guest = new URL(url);
    guest.username = 'guest';
    expect(await gapOf(guest.href)).toEqual({
      reason: 'The service does not sign in as the owner of its tables',
      remedy: expect.stringContaining('Name creator in DATABASE_URL') as string,
    });
  });
});
