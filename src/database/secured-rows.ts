import { type RunSql, whenUnlocked } from './run-sql.js';
import { PRESENT_WORKSPACE, WORKSPACE_ROLE } from './workspace-query.js';
import { createViews, mayCreateViews, missingViews, WORKSPACE_SCHEMA } from './workspace-views.js';

const INSUFFICIENT_PRIVILEGE = '42501';

/** The audit log, to which the role may only add. */
const APPEND_ONLY = 'audit_entries';
const PRIVILEGES = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];

/** SQL that compares the role's privileges on the table `c` with those that it needs. */
const HAS_ITS_PRIVILEGES = PRIVILEGES.map((privilege) => {
  const has = `has_table_privilege('${WORKSPACE_ROLE}', c.oid, '${privilege}')`;
  return privilege === 'INSERT' ? has : `${has} = (c.relname <> '${APPEND_ONLY}')`;
}).join(' AND ');

/**
 * Tables with rows of workspaces, each with its workspace column, that lack the policy or a grant to the role. Roles
 * belong to the cluster: after a dump is restored the role and its grants may be missing.
 */
const UNSECURED = `
  SELECT c.relname AS name, a.attname AS column FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT a.attisdropped
    AND a.attname = CASE c.relname WHEN 'workspaces' THEN 'id' WHEN '${APPEND_ONLY}' THEN 'target_workspace_id'
      ELSE 'workspace_id' END
    AND NOT (c.relrowsecurity AND EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = '${WORKSPACE_ROLE}')
      AND ${HAS_ITS_PRIVILEGES})
  ORDER BY 1`;

/** Roles belong to the cluster, so a migration of another database may create the role at the same time. */
const CREATE_ROLE = `DO $$ BEGIN CREATE ROLE ${WORKSPACE_ROLE} NOLOGIN;
  EXCEPTION WHEN duplicate_object OR unique_violation OR insufficient_privilege THEN NULL; END $$`;

/** The service connects as the owner of the tables. A superuser needs no membership. */
const GRANT_ROLE = `DO $$ DECLARE owner name := (SELECT tableowner FROM pg_tables WHERE schemaname = 'public' AND tablename = 'workspaces');
  BEGIN
    IF NOT (SELECT rolsuper FROM pg_roles WHERE rolname = owner) THEN EXECUTE format('GRANT ${WORKSPACE_ROLE} TO %I', owner); END IF;
  EXCEPTION WHEN insufficient_privilege OR unique_violation OR internal_error THEN NULL; END $$`;

const GRANTS = `GRANT USAGE ON SCHEMA public TO ${WORKSPACE_ROLE};
  GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${WORKSPACE_ROLE};
  REVOKE SELECT ON ${APPEND_ONLY} FROM ${WORKSPACE_ROLE};
  GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO ${WORKSPACE_ROLE}`;

/** Roles other than the owner and the workspace role, such as one for reports, see the same rows as before. */
const secure = (table: string, column: string, lockTimeoutMs: number): string => `
  SET LOCAL lock_timeout = ${lockTimeoutMs};
  ALTER TABLE "${table}" ENABLE ROW LEVEL SECURITY;
  DROP POLICY IF EXISTS everyone ON "${table}";
  DROP POLICY IF EXISTS ${WORKSPACE_ROLE} ON "${table}";
  CREATE POLICY everyone ON "${table}" USING (true);
  CREATE POLICY ${WORKSPACE_ROLE} ON "${table}" AS RESTRICTIVE TO ${WORKSPACE_ROLE}
    USING ("${column}" = ${PRESENT_WORKSPACE});
  REVOKE ALL ON "${table}" FROM ${WORKSPACE_ROLE};
  GRANT ${(table === APPEND_ONLY ? ['INSERT'] : PRIVILEGES).join(', ')} ON "${table}" TO ${WORKSPACE_ROLE}`;

/**
 * Lets the workspace role see and change only rows of its workspace, in every table with a workspace column that is not
 * secured yet. Every migration that adds such a table must call it. Nothing changes without the right to create the
 * role. Each table is locked briefly and separately, outside transactions. Does nothing on Citus.
 */
export async function secureRows(run: RunSql): Promise<void> {
  if (await hasCitus(run)) return;
  await run(CREATE_ROLE);
  if (!(await hasRole(run))) return;
  await run(GRANT_ROLE);
  await run(GRANTS);
  for (const { name, column } of await run<{ name: string; column: string }>(UNSECURED))
    await whenUnlocked((lockTimeoutMs) => run(secure(name, column, lockTimeoutMs)));
}

/**
 * Creates the views through which the workspace role reads lists of posts and comments. Nothing changes without the
 * role or without the right to create their schema. Does nothing on Citus.
 */
export async function secureLists(run: RunSql): Promise<void> {
  if (!(await hasCitus(run)) && (await hasRole(run)) && (await mayCreateViews(run))) await createViews(run);
}

/**
 * The statements that undo {@link secureRows} and {@link secureLists}. They keep the role, which other databases may
 * use.
 */
export async function unsecuringStatements(run: RunSql): Promise<string[]> {
  const tables = await run<{ name: string }>(
    `SELECT tablename AS name FROM pg_policies WHERE schemaname = 'public' AND policyname = '${WORKSPACE_ROLE}' ORDER BY 1`,
  );
  if (tables.length === 0) return [];
  return [
    `DROP SCHEMA IF EXISTS ${WORKSPACE_SCHEMA} CASCADE`,
    ...tables.flatMap(({ name }) => [
      `DROP POLICY ${WORKSPACE_ROLE} ON ${name}`,
      `DROP POLICY everyone ON ${name}`,
      `ALTER TABLE ${name} DISABLE ROW LEVEL SECURITY`,
    ]),
    ...['TABLES', 'SEQUENCES'].map(
      (kind) => `REVOKE ALL ON ALL ${kind} IN SCHEMA public FROM ${WORKSPACE_ROLE}`,
    ),
    `REVOKE ALL ON SCHEMA public FROM ${WORKSPACE_ROLE}`,
  ];
}

/**
 * Why requests cannot run as the workspace role, and the operator's remedy; null when the operator can do
 * nothing.
 */
export interface RowSecurityGap {
  reason: string;
  remedy: string | null;
}

/** The obstacle to running requests as the workspace role; null for none. */
export async function findGap(run: RunSql): Promise<RowSecurityGap | null> {
  if (await hasCitus(run))
    return { reason: 'Citus does not pass the workspace to the nodes that store the rows', remedy: null };
  // Policies would hide rows from the service itself unless it owns the tables.
  const [found] = await run<{ owner: string; isOwner: boolean }>(
    `SELECT tableowner AS owner, pg_has_role(tableowner, 'USAGE') AS "isOwner" FROM pg_tables
     WHERE schemaname = 'public' AND tablename = 'workspaces'`,
  );
  if (found === undefined || !found.isOwner)
    return {
      reason: 'The service does not sign in as the owner of its tables',
      remedy: `Name ${found?.owner ?? 'the owner'} in DATABASE_URL, then restart the service`,
    };
  const grant = `GRANT ${WORKSPACE_ROLE} TO "${found.owner}"`;
  if (!(await hasRole(run)))
    return {
      reason: `The role ${WORKSPACE_ROLE} does not exist`,
      remedy: `As an administrator: CREATE ROLE ${WORKSPACE_ROLE} NOLOGIN; ${grant}. ${APPLY}`,
    };
  try {
    await run(`SELECT set_config('role', '${WORKSPACE_ROLE}', true)`);
  } catch (error) {
    if ((error as { code?: unknown }).code !== INSUFFICIENT_PRIVILEGE) throw error;
    return {
      reason: `${found.owner} may not work as the role ${WORKSPACE_ROLE}`,
      remedy: `As an administrator: ${grant}. ${APPLY}`,
    };
  }
  const tables = await run<{ name: string }>(UNSECURED);
  const names = tables.map(({ name }) => name).join(', ');
  if (names !== '') return { reason: `These tables lack a policy or a right: ${names}`, remedy: APPLY };
  const views = (await missingViews(run)).join(', ');
  if (views === '') return null;
  return (await mayCreateViews(run))
    ? { reason: `These tables lack a view or a right to it: ${views}`, remedy: APPLY }
    : {
        reason: `${found.owner} may not create views in the schema ${WORKSPACE_SCHEMA}`,
        remedy: `As an administrator: CREATE SCHEMA IF NOT EXISTS ${WORKSPACE_SCHEMA}; ALTER SCHEMA ${WORKSPACE_SCHEMA} OWNER TO "${found.owner}". ${APPLY}`,
      };
}

const APPLY = 'Run npm run db -- row-security, then restart the service';

async function hasRole(run: RunSql): Promise<boolean> {
  return (await run(`SELECT FROM pg_roles WHERE rolname = '${WORKSPACE_ROLE}'`)).length > 0;
}

/** Whether the database uses Citus. */
export async function hasCitus(run: RunSql): Promise<boolean> {
  return (await run(`SELECT FROM pg_extension WHERE extname = 'citus'`)).length > 0;
}
