import pg from 'pg';
import { WORKSPACE_ROLE } from '../database/workspace-query.js';

/** Role as which the service works: it owns the database and its tables, and is no superuser. */
export const OWNER = 'wss_owner';
/** Login of requests. It has no rights of its own, and can become only the role that sees one workspace. */
export const REQUEST_LOGIN = 'wss_request';
const PRIVILEGE_MISSING = '42501';

/** The passwords of both logins. */
export interface LoginPasswords {
  owner: string;
  request: string;
}

const TIMEOUTS = { connectionTimeoutMillis: 5_000, statement_timeout: 60_000 };

/**
 * Lets the service work in a database as roles that are no superusers: creates {@link OWNER} and {@link REQUEST_LOGIN}
 * with these passwords, and the database if it is missing, and hands over the superuser's objects. `superuserUrl` names
 * the database.
 */
export async function provideLogins(superuserUrl: string, passwords: LoginPasswords): Promise<void> {
  const database = decodeURIComponent(new URL(superuserUrl).pathname.slice(1));
  const quoted = pg.escapeIdentifier(database);
  const maintenance = new URL(superuserUrl);
  maintenance.pathname = '/postgres';
  await within(maintenance.href, async (client) => {
    for (const [role, login] of [
      [WORKSPACE_ROLE, 'NOLOGIN'],
      [OWNER, 'LOGIN'],
      [REQUEST_LOGIN, 'LOGIN'],
    ])
      if ((await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role])).rowCount === 0)
        await client.query(`CREATE ROLE ${role} ${login}`);
    for (const [role, rights, password] of [
      [OWNER, '', passwords.owner],
      [REQUEST_LOGIN, 'NOINHERIT NOBYPASSRLS', passwords.request],
    ])
      await client.query(
        `ALTER ROLE ${role} NOSUPERUSER NOCREATEROLE NOCREATEDB ${rights} PASSWORD ${pg.escapeLiteral(password!)}`,
      );
    await client.query(`GRANT ${WORKSPACE_ROLE} TO ${OWNER}, ${REQUEST_LOGIN}`);
    // The owner cancels statements of abandoned requests.
    await client.query(`GRANT ${REQUEST_LOGIN} TO ${OWNER}`);
    // A restore writes rows in any order. Only a superuser can grant this.
    await client
      .query(`GRANT SET ON PARAMETER session_replication_role TO ${OWNER}`)
      .catch((error: pg.DatabaseError) => {
        if (error.code !== PRIVILEGE_MISSING) throw error;
      });
    const { rows } = await client.query<{ owner: string }>(
      'SELECT pg_get_userbyid(datdba) AS owner FROM pg_database WHERE datname = $1',
      [database],
    );
    if (rows[0] === undefined) await client.query(`CREATE DATABASE ${quoted} OWNER ${OWNER}`);
    else if (rows[0].owner !== OWNER) await client.query(`ALTER DATABASE ${quoted} OWNER TO ${OWNER}`);
  });
  await within(superuserUrl, async (client) => {
    const { rows } = await client.query<{ statement: string }>(HAND_OVER);
    for (const { statement } of rows) await client.query(statement);
  });
}

async function within(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url, ...TIMEOUTS });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** One statement for each object of the superuser's outside of system schemas and extensions. */
const HAND_OVER = `
  WITH own AS (SELECT oid FROM pg_roles WHERE rolname = current_user),
    schemas AS (SELECT oid, nspname, nspowner FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'),
    of_extensions AS (SELECT objid FROM pg_depend WHERE deptype = 'e')
  SELECT format('ALTER SCHEMA %I OWNER TO ${OWNER}', nspname) AS statement FROM schemas, own WHERE nspowner = own.oid
  UNION ALL
  SELECT format('ALTER %s %I.%I OWNER TO ${OWNER}',
    CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE' ELSE 'TABLE' END,
    s.nspname, c.relname)
  FROM pg_class c JOIN schemas s ON s.oid = c.relnamespace, own
  WHERE c.relowner = own.oid AND c.relkind IN ('r', 'p', 'v', 'm', 'S') AND c.oid NOT IN (SELECT objid FROM of_extensions)
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND c.relkind = 'S' AND d.deptype IN ('a', 'i'))
  UNION ALL
  SELECT format('ALTER ROUTINE %s OWNER TO ${OWNER}', p.oid::regprocedure)
  FROM pg_proc p JOIN schemas s ON s.oid = p.pronamespace, own
  WHERE p.proowner = own.oid AND p.oid NOT IN (SELECT objid FROM of_extensions)`;
