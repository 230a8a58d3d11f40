import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { diagnose } from '../../src/cli/diagnosis/diagnose.js';
import type { Finding } from '../../src/cli/diagnosis/finding.js';
import { Clock, SystemClock } from '../../src/common/clock.js';
import { freePort } from '../../src/launcher/free-port.js';
import { connect, createTestDatabase } from '../support/database.js';
import { createTestRedis } from '../support/redis.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const DOCTOR = join(import.meta.dirname, '../../src/cli/doctor.js');
const KEY = 'ab'.repeat(32);
const HOUR_MS = 3_600_000;

class FastClock extends Clock {
  now(): Date {
    return new Date(Date.now() + HOUR_MS);
  }
}

let healthy: Record<string, string>;

async function rows<Row extends object>(sql: string, url = database.url): Promise<Row[]> {
  const client = await connect(url);
  const result = await client.query<Row>(sql).finally(() => client.end());
  return result.rows;
}

const query = (sql: string, url?: string): Promise<object[]> => rows(sql, url);

async function findings(
  variables: Record<string, string>,
  clock: Clock = new SystemClock(),
): Promise<Finding[]> {
  const found = await diagnose({ ...healthy, ...variables }, clock);
  // Tests sign in as the superuser; test/integration/database-logins.spec.ts checks this.
  return found.filter(({ check }) => check !== 'database_logins');
}

/** The faults that the doctor reports, by check, with its message. */
async function faults(variables: Record<string, string>, clock?: Clock): Promise<Record<string, string>> {
  const found = (await findings(variables, clock)).filter(({ status }) => status === 'problem');
  expect(found.every(({ remedy }) => (remedy ?? '').length > 10)).toBe(true);
  return Object.fromEntries(found.map(({ check, message, remedy }) => [check, `${message}. ${remedy}`]));
}

const folder = await temporaryFolder();
const database = await createTestDatabase();
beforeAll(async () => {
  healthy = {
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    REDIS_URL: (await createTestRedis()).url,
    ENCRYPTION_KEY: KEY,
    MEDIA_MIN_FREE_BYTES: '0',
    PORT: '0',
  };
});

describe('npm run doctor', () => {
  it('finds nothing wrong with an installation that works', async () => {
    const found = await findings({});
    expect(found.filter(({ status }) => status === 'problem' || status === 'warning')).toEqual([]);
    const checked = found.filter(({ status }) => status === 'ok').map(({ check }) => check);
    expect(checked).toEqual(
      expect.arrayContaining([
        'node',
        'settings',
        'data_dir',
        'key_files',
        'media_disk',
        'port',
        'postgres',
        'postgres_version',
        'clock',
        'extensions',
        'database_rights',
        'connections',
        'migrations',
        'row_security',
        'encryption_key',
        'audit_log',
        'redis',
        'redis_settings',
      ]),
    );
  });

  it('exits with 1 when there is a problem, and with 0 otherwise', async () => {
    const run = (variables: Record<string, string>, ...args: string[]) =>
      new Promise<{ code: unknown; output: string }>((resolve) => {
        const env = { PATH: process.env.PATH, ...healthy, ...variables };
        execFile(process.execPath, [DOCTOR, ...args], { env }, (error, output) =>
          resolve({ code: error?.code ?? 0, output }),
        );
      });
    const [well, ill] = await Promise.all([run({}, '--json'), run({ LOG_LEVEL: 'loud' })]);
    expect([well.code, (JSON.parse(well.output) as { ok: boolean }).ok]).toEqual([0, true]);
    expect(ill.code).toBe(1);
    expect(ill.output).toMatch(
      /^PROBLEM {2}settings .*LOG_LEVEL must be one of .*\n {28}Correct the variable/m,
    );
  });

  it('leaves no connection to Postgres open', async () => {
    await findings({});
    const name = new URL(database.url).pathname.slice(1);
    const [row] = await rows<{ open: number }>(
      `SELECT count(*)::int AS open FROM pg_stat_activity WHERE datname = '${name}' AND pid <> pg_backend_pid()`,
    );
    expect(row).toEqual({ open: 0 });
  });

  it('names misspelled, invalid and contradicting settings together with other faults', async () => {
    const found = await faults({
      PLATFORM_CLIENT_IDD: 'x',
      LOG_LEVEL: 'loud',
      MEDIA_MIN_FREE_BYTES: '999999999999999',
    });
    expect(Object.keys(found).sort()).toEqual(['media_disk', 'settings']);
    const settings = (await findings({ PLATFORM_CLIENT_IDD: 'x', LOG_LEVEL: 'loud' })).filter(
      ({ check }) => check === 'settings',
    );
    expect(settings.map(({ message }) => message)).toEqual([
      expect.stringContaining('PLATFORM_CLIENT_IDD'),
      expect.stringContaining(
        'PLATFORM_CLIENT_IDD is not a variable of this service; set PLATFORM_CLIENT_ID',
      ),
      expect.stringContaining('LOG_LEVEL must be one of'),
    ]);
    expect(
      await findings({ MEDIA_DIR: folder, MEDIA_S3_BUCKET: 'b', MEDIA_S3_ENDPOINT: 'http://127.0.0.1:1' }),
    ).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          check: 'settings',
          status: 'warning',
          message: expect.stringContaining('MEDIA_DIR') as string,
        }),
        expect.objectContaining({ check: 'media_store', status: 'problem' }),
      ]),
    );
  });

  it('names servers that are unreachable, refuse the login, or lack the database', async () => {
    const nowhere = `127.0.0.1:${await freePort()}`;
    expect(
      await faults({
        DATABASE_URL: `postgres://u:secret@${nowhere}/x`,
        REDIS_URL: `redis://:secret@${nowhere}`,
        SMTP_URL: `smtp://${nowhere}`,
        MAIL_FROM: 'a@example.com',
      }),
    ).toEqual({
      postgres: expect.stringContaining('ECONNREFUSED') as string,
      redis: expect.stringContaining('ECONNREFUSED') as string,
      mail: expect.stringContaining('SMTP_URL') as string,
    });
    const wrong = new URL(database.url);
    wrong.password = 'wrong';
    expect(await faults({ DATABASE_URL: wrong.href })).toEqual({
      postgres: expect.stringMatching(/refuses the user or the password/) as string,
    });
    expect(JSON.stringify(await findings({ DATABASE_URL: wrong.href }))).not.toContain('wrong@');
  });

  it('names a clock that differs from that of Postgres', async () => {
    expect(await faults({}, new FastClock())).toEqual({
      clock: expect.stringMatching(/^The clock of Postgres is 3\d{6} ms behind/) as string,
    });
  });

  it('names an encryption key that is not the one of the database', async () => {
    await query(`INSERT INTO encryption_keys (key_id) VALUES ('0badcafe')`);
    try {
      expect(await faults({})).toEqual({
        encryption_key: expect.stringMatching(/key 0badcafe.*ENCRYPTION_KEYS_LOST=0badcafe/) as string,
      });
    } finally {
      await query(`DELETE FROM encryption_keys`);
    }
  });

  it('names tables in which requests would see rows of other workspaces', async () => {
    const open = await createTestDatabase();
    await query('DROP POLICY wss_workspace ON posts', open.url);
    const found = await findings({ DATABASE_URL: open.url });
    expect(found.filter(({ status }) => status === 'warning')).toEqual([
      {
        check: 'row_security',
        status: 'warning',
        message: 'These tables lack a policy or a right: posts',
        remedy: 'Run npm run db -- row-security, then restart the service',
      },
    ]);
  });

  it('names pending and newer migrations, a missing extension and missing rights', async () => {
    const old = await createTestDatabase();
    const name = new URL(old.url).pathname.slice(1);
    await query(`DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations)`, old.url);
    expect(await faults({ DATABASE_URL: old.url })).toEqual({
      migrations: expect.stringMatching(/^1 of \d+ migrations have not run/) as string,
    });
    await query(
      `INSERT INTO migrations (timestamp, name) VALUES (1999999999999, 'Later1999999999999')`,
      old.url,
    );
    await query('DROP EXTENSION btree_gin CASCADE', old.url);
    expect(await faults({ DATABASE_URL: old.url })).toEqual({
      migrations: expect.stringContaining('newer version (1999999999999)') as string,
      extensions: expect.stringContaining('CREATE EXTENSION btree_gin') as string,
    });
    const role = `reader_${name}`;
    await query(`CREATE ROLE ${role} LOGIN PASSWORD 'r'; GRANT SELECT ON migrations TO ${role}`, old.url);
    const reader = new URL(old.url);
    [reader.username, reader.password] = [role, 'r'];
    expect(await faults({ DATABASE_URL: reader.href })).toMatchObject({
      database_rights: expect.stringContaining(`GRANT CREATE, USAGE ON SCHEMA public TO "${role}"`) as string,
    });
    await query(`DROP OWNED BY ${role}; DROP ROLE ${role}`, old.url);
  });

  it('names an unusable data folder, readable keys and an interrupted restore', async () => {
    const dataDir = await mkdtemp(join(folder, 'data-'));
    await writeFile(join(dataDir, 'admin.token'), 'x', { mode: 0o644 });
    expect(await faults({ DATA_DIR: dataDir })).toEqual({
      key_files: expect.stringContaining(`chmod 600 ${join(dataDir, 'admin.token')}`) as string,
    });
    expect(await faults({ DATA_DIR: join(dataDir, 'admin.token') })).toMatchObject({
      data_dir: expect.stringContaining('is not a folder') as string,
    });
    await writeFile(join(dataDir, 'restore.incomplete'), '');
    expect(await faults({ DATA_DIR: dataDir })).toEqual({
      data_dir: expect.stringContaining('was interrupted') as string,
    });
  });

  it('accepts a port on which the service itself responds', async () => {
    const own = createServer((_request, response) => response.end('{"status":"ok","version":"1.2.3"}'));
    await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve));
    const { port } = own.address() as AddressInfo;
    const found = await findings({ PORT: String(port) });
    own.close();
    const message = `The service, version 1.2.3, responds at http://127.0.0.1:${port}`;
    expect(found).toContainEqual({ check: 'port', status: 'ok', message });
  });

  it('names a port that another program uses and credentials that the platform refuses', async () => {
    const other = createServer((_request, response) => response.writeHead(401).end());
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    try {
      expect(
        await faults({
          PORT: String(port),
          PLATFORM_CLIENT_ID: 'id',
          PLATFORM_CLIENT_SECRET: 'secret',
          PLATFORM_USER_AGENT: 'test',
          PLATFORM_AUTH_URL: `http://127.0.0.1:${port}`,
        }),
      ).toEqual({
        port: expect.stringContaining('used by another program') as string,
        platform: expect.stringContaining('Correct PLATFORM_CLIENT_ID') as string,
      });
    } finally {
      other.close();
    }
  });
});
