import { execFile } from 'node:child_process';
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type pg from 'pg';
import { checkLogins } from '../../src/cli/diagnosis/login-checks.js';
import { migrate } from '../../src/database/run-migrations.js';
import { startEmbeddedDatabase } from '../../src/launcher/embedded-servers.js';
import { asRequestOf, connect, openDataSource } from '../support/database.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const DB = join(import.meta.dirname, '../../src/cli/db.js');
const WORKSPACE = '00000000-0000-4000-8000-000000000001';

const folder = await temporaryFolder();

describe('the logins of an embedded database', () => {
  let database: Awaited<ReturnType<typeof startEmbeddedDatabase>>;
  let superuserUrl: string;

  beforeAll(async () => {
    await chmod(folder, 0o711);
    database = await startEmbeddedDatabase({ dataDir: join(folder, 'data'), log: () => undefined });
    const url = new URL(database.databaseUrl);
    url.username = 'scraper';
    url.password = await readFile(join(folder, 'data', 'postgres.password'), 'utf8');
    superuserUrl = url.href;
    await migrate(database.databaseUrl);
  });
  afterAll(async () => {
    await database.stop();
  });

  async function on<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = await connect(url);
    return work(client).finally(() => client.end());
  }
  const check = (requestUrl: string | undefined, url = database.databaseUrl) =>
    on(url, (client) => checkLogins(client, requestUrl));
  const administer = (sql: string) => on(superuserUrl, (client) => client.query(sql));

  it('let requests become only the role that sees one workspace', async () => {
    await on(database.databaseRequestUrl, async (client) => {
      await client.query(`SET ROLE wss_workspace; SET wss.workspace_id = '${WORKSPACE}'`);
      expect((await client.query('SELECT id FROM jobs')).rows).toEqual([]);
      await client.query('RESET ROLE');
      for (const statement of [
        'SELECT id FROM jobs',
        'SET ROLE wss_owner',
        'SET ROLE scraper',
        `SELECT pg_read_file('/etc/passwd')`,
        'CREATE TABLE public.own (id int)',
      ])
        await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
    });
  });

  it('are used by code of a workspace and by all other code', async () => {
    const dataSource = await openDataSource(database.databaseUrl, {
      requestUrl: database.databaseRequestUrl,
    });
    const who = async () =>
      (await dataSource.query<object[]>('SELECT session_user::text AS login, current_user::text AS role'))[0];
    const request = { login: 'wss_request', role: 'wss_workspace' };
    expect(await who()).toEqual({ login: 'wss_owner', role: 'wss_owner' });
    expect(await asRequestOf(WORKSPACE, who)).toEqual(request);
    const transaction = () =>
      dataSource.transaction((tx) =>
        tx.query<object[]>('SELECT session_user::text AS login, current_user::text AS role'),
      );
    expect(await asRequestOf(WORKSPACE, transaction)).toEqual([request]);
  });

  it('are accepted by doctor as they are created', async () => {
    expect(await check(database.databaseRequestUrl)).toMatchObject({
      check: 'database_logins',
      status: 'ok',
    });
  });

  it('are named by doctor if one is a superuser, or requests sign in as the owner', async () => {
    expect(await check(database.databaseRequestUrl, superuserUrl)).toMatchObject({
      status: 'warning',
      message: 'DATABASE_URL signs in as the superuser scraper',
    });
    expect(await check(undefined)).toMatchObject({
      status: 'warning',
      message: 'Requests sign in as wss_owner, which owns all tables',
    });
    const wrong = database.databaseRequestUrl.replace('wss_request', 'absent');
    expect(await check(wrong)).toMatchObject({ status: 'problem' });
  });

  it.each([
    [
      'ALTER ROLE wss_request SUPERUSER',
      'ALTER ROLE wss_request NOSUPERUSER',
      'is the superuser wss_request',
    ],
    ['ALTER ROLE wss_request BYPASSRLS', 'ALTER ROLE wss_request NOBYPASSRLS', '(BYPASSRLS)'],
    [
      'REVOKE wss_request FROM wss_owner; GRANT wss_owner TO wss_request',
      'REVOKE wss_owner FROM wss_request; GRANT wss_request TO wss_owner',
      'can become the owner of the tables',
    ],
  ])('are named by doctor after %s', async (change, reversal, message) => {
    await administer(change);
    expect(await check(database.databaseRequestUrl)).toMatchObject({
      status: 'warning',
      message: expect.stringContaining(message) as string,
    });
    await administer(reversal);
  });

  it('are created in a database of a superuser by a command, and own what was there', async () => {
    await administer('CREATE DATABASE "old-one"');
    const url = new URL(superuserUrl);
    url.pathname = '/old-one';
    await migrate(url.href);
    const { stdout } = await promisify(execFile)(process.execPath, [DB, 'roles'], {
      env: { PATH: process.env.PATH, DATABASE_URL: url.href },
    });
    const printed = Object.fromEntries(
      stdout
        .trim()
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
    expect(Object.keys(printed)).toEqual(['DATABASE_URL', 'DATABASE_REQUEST_URL']);
    expect(await check(printed.DATABASE_REQUEST_URL, printed.DATABASE_URL)).toMatchObject({ status: 'ok' });
    const owners = await on(printed.DATABASE_URL!, (client) =>
      client.query(`SELECT DISTINCT tableowner::text AS owner FROM pg_tables WHERE schemaname = 'public'`),
    );
    expect(owners.rows).toEqual([{ owner: 'wss_owner' }]);
  });
});
