import pg from 'pg';
import { destroyedWhenSilent } from '../../database/connections.js';
import { ok, problem, reasonOf, warning, type Finding } from './finding.js';

const SILENCE_MS = 10_000;
const REMEDY =
  'Run npm run -s db -- roles with the DATABASE_URL of an administrator, and set the variables that it prints';

/** Rights of a connection's login beyond those that the service needs. */
const EXCESS = `SELECT session_user AS name, rolsuper AS "isSuperuser", rolbypassrls AS "bypassesPolicies",
    (SELECT pg_has_role(session_user, tableowner, 'MEMBER') FROM pg_tables
     WHERE schemaname = 'public' AND tablename = 'workspaces') AS "canOwn"
  FROM pg_roles WHERE rolname = session_user`;

interface Login {
  name: string;
  isSuperuser: boolean;
  bypassesPolicies: boolean;
  /** Whether it is, or can become, the owner of the tables; null before the first migration. */
  canOwn: boolean | null;
}

/** Checks that no login of the service has more rights than it needs. */
export async function checkLogins(owner: pg.Client, requestUrl: string | undefined): Promise<Finding> {
  const check = 'database_logins';
  const service = await loginOf(owner);
  if (service.isSuperuser)
    return warning(check, `DATABASE_URL signs in as the superuser ${service.name}`, REMEDY);
  if (requestUrl === undefined)
    return warning(check, `Requests sign in as ${service.name}, which owns all tables`, REMEDY);
  const client = new pg.Client({ connectionString: requestUrl, ...destroyedWhenSilent(SILENCE_MS) });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const excess = excessOf(await loginOf(client));
    return excess === null
      ? ok(check, 'Neither login is a superuser, and requests cannot become the owner of the tables')
      : warning(check, `The login of DATABASE_REQUEST_URL ${excess}`, REMEDY);
  } catch (error) {
    return problem(check, `DATABASE_REQUEST_URL cannot be used: ${reasonOf(error)}`, REMEDY);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function excessOf({ name, isSuperuser, bypassesPolicies, canOwn }: Login): string | null {
  if (isSuperuser) return `is the superuser ${name}`;
  if (bypassesPolicies) return `is ${name}, which sees rows of every workspace (BYPASSRLS)`;
  return canOwn ? `is ${name}, which can become the owner of the tables` : null;
}

async function loginOf(client: pg.Client): Promise<Login> {
  const { rows } = await client.query<Login>(EXCESS);
  return rows[0]!;
}
