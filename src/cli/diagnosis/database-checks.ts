import pg from 'pg';
import type { Clock } from '../../common/clock.js';
import type { Environment } from '../../config/environment.js';
import { destroyedWhenSilent } from '../../database/connections.js';
import { migrationNumbers } from '../../database/migration-state.js';
import { runSqlOn } from '../../database/run-sql.js';
import { findGap } from '../../database/secured-rows.js';
import { readEncryptionKeys } from '../../infrastructure/secrets/encryption-key.js';
import { keyIdOf } from '../../infrastructure/secrets/secret-box.js';
import { STORED_KEY_IDS } from '../../tenants/encryption/stored-key-ids.js';
import { checkLogins } from './login-checks.js';
import { checkAuditLog } from './audit-checks.js';
import { checkClaims } from './claim-checks.js';
import { ok, problem, reasonOf, skipped, warning, type Finding } from './finding.js';

const SILENCE_MS = 10_000;
const MAX_SKEW_MS = 2_000;
const OLDEST = 15;
const NEWEST_TESTED = 18;
const EXTENSIONS = ['btree_gin'];
const PROCESSES = 2;

/**
 * Checks of a Postgres that accepts connections: version, clock, extensions, privileges, migrations, encryption key,
 * audit log, connections.
 */
export async function checkDatabase(url: string, environment: Environment, clock: Clock): Promise<Finding[]> {
  const client = new pg.Client({ connectionString: url, ...destroyedWhenSilent(SILENCE_MS) });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const findings = [
      await checkVersion(client),
      await checkClock(client, clock),
      await checkExtensions(client),
      await checkRights(client),
      await checkLogins(client, environment.DATABASE_REQUEST_URL),
      await checkConnections(client, environment),
    ];
    const migrated = await checkMigrations(client);
    findings.push(migrated);
    if (migrated.status === 'ok')
      findings.push(
        await checkRowSecurity(client),
        await checkEncryptionKey(client, environment),
        await checkAuditLog(runSqlOn(client)),
        await checkClaims(runSqlOn(client)),
      );
    else
      for (const check of ['row_security', 'encryption_key', 'audit_log', 'job_claims'])
        findings.push(skipped(check, 'The schema is not up to date'));
    return findings;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function checkVersion(client: pg.Client): Promise<Finding> {
  const { version, encoding } = await one<{ version: string; encoding: string }>(
    client,
    `SELECT current_setting('server_version') AS version, current_setting('server_encoding') AS encoding`,
  );
  const major = Number.parseInt(version, 10);
  if (major < OLDEST)
    return problem(
      'postgres_version',
      `Postgres is version ${version}; the service needs ${OLDEST} or newer`,
      'Upgrade Postgres with pg_upgrade, or dump the database and restore it into a newer version',
    );
  if (encoding !== 'UTF8')
    return problem(
      'postgres_version',
      `The database has the encoding ${encoding}; posts need UTF8`,
      "Create a database with ENCODING 'UTF8' and restore into it",
    );
  return major > NEWEST_TESTED
    ? warning(
        'postgres_version',
        `Postgres ${version} is newer than the versions this build is tested with`,
        `Use Postgres ${OLDEST} to ${NEWEST_TESTED}, or a newer version of the service`,
      )
    : ok('postgres_version', `Postgres ${version}`);
}

/** Compares the server's clock with the middle of the round trip in which it was read. */
async function checkClock(client: pg.Client, clock: Clock): Promise<Finding> {
  const before = clock.now().getTime();
  const { now } = await one<{ now: Date }>(client, 'SELECT clock_timestamp() AS now');
  const after = clock.now().getTime();
  const skewMs = Math.round(now.getTime() - (before + after) / 2);
  return Math.abs(skewMs) <= MAX_SKEW_MS + (after - before) / 2
    ? ok('clock', `The clocks of this machine and of Postgres differ by ${Math.abs(skewMs)} ms`)
    : problem(
        'clock',
        `The clock of Postgres is ${Math.abs(skewMs)} ms ${skewMs > 0 ? 'ahead of' : 'behind'} the clock of this machine`,
        'Synchronize both with NTP (timedatectl set-ntp true)',
      );
}

async function checkExtensions(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ name: string; installed: boolean }>(
    'SELECT name, installed_version IS NOT NULL AS installed FROM pg_available_extensions WHERE name = ANY($1)',
    [EXTENSIONS],
  );
  const missing = EXTENSIONS.filter((name) => !rows.some((row) => row.name === name && row.installed));
  if (missing.length === 0) return ok('extensions', `Installed: ${EXTENSIONS.join(', ')}`);
  const unavailable = missing.filter((name) => !rows.some((row) => row.name === name));
  return problem(
    'extensions',
    `The database lacks the extension ${missing.join(', ')}`,
    unavailable.length > 0
      ? 'Install the contrib package of Postgres (postgresql-contrib) on the database server, then start the service'
      : `As an administrator: ${missing.map((name) => `CREATE EXTENSION ${name}`).join('; ')}`,
  );
}

async function checkRights(client: pg.Client): Promise<Finding> {
  const { role, mayCreate } = await one<{ role: string; mayCreate: boolean }>(
    client,
    `SELECT current_user AS role, has_schema_privilege('public', 'CREATE') AS "mayCreate"`,
  );
  return mayCreate
    ? ok('database_rights', `The role ${role} may migrate the schema`)
    : problem(
        'database_rights',
        `The role ${role} may not create tables in the schema public`,
        `As an administrator: GRANT CREATE, USAGE ON SCHEMA public TO "${role}"`,
      );
}

async function checkConnections(client: pg.Client, environment: Environment): Promise<Finding> {
  const { limit } = await one<{ limit: number }>(
    client,
    `SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int AS limit`,
  );
  const { DATABASE_POOL_CONTROL, DATABASE_POOL_SEARCH, DATABASE_POOL_EXPORT } = environment;
  const needed = PROCESSES * (DATABASE_POOL_CONTROL + DATABASE_POOL_SEARCH + DATABASE_POOL_EXPORT);
  const message = `Postgres accepts ${limit} connections; the pools of ${PROCESSES} processes can open up to ${needed}`;
  return limit >= needed
    ? ok('connections', message)
    : warning(
        'connections',
        message,
        'Raise max_connections, lower DATABASE_POOL_*, or put PgBouncer in front of Postgres',
      );
}

async function checkMigrations(client: pg.Client): Promise<Finding> {
  const done = await client
    .query<{ timestamp: string }>('SELECT timestamp FROM migrations')
    .then(({ rows }) => rows.map(({ timestamp }) => Number(timestamp)))
    .catch((error: pg.DatabaseError): number[] => {
      if (error.code === '42P01') return [];
      throw error;
    });
  const known = await migrationNumbers();
  const pending = known.filter((number) => !done.includes(number));
  const newer = done.filter((number) => !known.includes(number));
  if (newer.length > 0)
    return problem(
      'migrations',
      `The database has ${newer.length} migrations of a newer version (${newer.join(', ')})`,
      'Start the version that migrated it, or a newer one',
    );
  return pending.length === 0
    ? ok('migrations', `All ${known.length} migrations have run`)
    : problem(
        'migrations',
        `${pending.length} of ${known.length} migrations have not run`,
        'Start the service (npm start), which runs them, or run npm run migration:run',
      );
}

async function checkRowSecurity(client: pg.Client): Promise<Finding> {
  const gap = await findGap(runSqlOn(client));
  if (gap === null) return ok('row_security', 'Requests and exports see only rows of their own workspace');
  return gap.remedy === null
    ? skipped('row_security', gap.reason)
    : warning('row_security', gap.reason, gap.remedy);
}

async function checkEncryptionKey(client: pg.Client, environment: Environment): Promise<Finding> {
  const { rows } = await client.query<{ keyId: string }>(STORED_KEY_IDS);
  let keys: string[];
  try {
    keys = ((await readEncryptionKeys(environment)) ?? []).map(keyIdOf);
  } catch (error) {
    return problem('encryption_key', reasonOf(error), 'Restore DATA_DIR/encryption.key from a backup');
  }
  const missing = rows.map(({ keyId }) => keyId).filter((keyId) => !keys.includes(keyId));
  return missing.length === 0
    ? ok('encryption_key', 'All keys that encrypt stored secrets are available')
    : problem(
        'encryption_key',
        `Secrets in this database are encrypted with key ${missing.join(', ')}, but this process has ${keys.join(', ') || 'no key'}`,
        `Set ENCRYPTION_KEY to the key of the other machines, or restore DATA_DIR/encryption.key; if it is lost: ENCRYPTION_KEYS_LOST=${missing.join(',')}`,
      );
}

async function one<T extends pg.QueryResultRow>(client: pg.Client, sql: string): Promise<T> {
  const { rows } = await client.query<T>(sql);
  return rows[0]!;
}
