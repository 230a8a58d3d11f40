import { type RunSql, whenUnlocked } from './run-sql.js';
import { PRESENT_WORKSPACE, WORKSPACE_ROLE } from './workspace-query.js';

/** The schema of the views. */
export const WORKSPACE_SCHEMA = 'workspace_rows';

/**
 * With this path a statement reads the views of {@link createViews} in place of the tables of the same names, and other
 * tables themselves.
 */
export const SEARCH_PATH = `${WORKSPACE_SCHEMA}, public`;

const MISSING = `
  SELECT t.relname AS name FROM pg_class t
  LEFT JOIN pg_class v ON v.relname = t.relname AND v.relkind = 'v' AND v.relnamespace = to_regnamespace('${WORKSPACE_SCHEMA}')
  WHERE t.relnamespace = 'public'::regnamespace AND t.relname IN ('posts', 'comments')
    AND (v.oid IS NULL OR NOT has_schema_privilege('${WORKSPACE_ROLE}', v.relnamespace, 'USAGE')
      OR NOT has_table_privilege('${WORKSPACE_ROLE}', v.oid, 'SELECT')
      OR EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
        AND NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = v.oid AND attname = a.attname)))
  ORDER BY 1`;

/** `IF NOT EXISTS` would need the privilege even when the schema exists. */
const CREATE_SCHEMA = `DO $$ BEGIN IF to_regnamespace('${WORKSPACE_SCHEMA}') IS NULL THEN CREATE SCHEMA ${WORKSPACE_SCHEMA}; END IF; END $$`;

/** `xmin` is the transaction that wrote a row, which incremental exports compare. */
const create = (table: string, lockTimeoutMs: number): string => `
  SET LOCAL lock_timeout = ${lockTimeoutMs};
  CREATE OR REPLACE VIEW ${WORKSPACE_SCHEMA}.${table} AS SELECT xmin, ${table}.* FROM public.${table}
    WHERE workspace_id = ${PRESENT_WORKSPACE};
  GRANT USAGE ON SCHEMA ${WORKSPACE_SCHEMA} TO ${WORKSPACE_ROLE};
  GRANT SELECT ON ${WORKSPACE_SCHEMA}.${table} TO ${WORKSPACE_ROLE}`;

/**
 * Creates views of posts and comments that show the workspace role only rows of its workspace. Unlike a policy, a view
 * that is no security barrier lets Postgres use indexes for conditions with `lower`, `@@` and `@>`. A migration that
 * adds a column to these tables must call it afterwards; one that removes or changes a column must drop the views
 * before. The role must exist, and {@link mayCreateViews} be true.
 */
export async function createViews(run: RunSql): Promise<void> {
  await run(CREATE_SCHEMA);
  for (const name of await missingViews(run))
    await whenUnlocked((lockTimeoutMs) => run(create(name, lockTimeoutMs)));
}

/** Drops the views, but not their schema, which an administrator may have created. */
export const DROP_VIEWS = `DROP VIEW IF EXISTS ${WORKSPACE_SCHEMA}.posts, ${WORKSPACE_SCHEMA}.comments`;

/** Whether the service may create the views: it owns their schema or may create it. */
export async function mayCreateViews(run: RunSql): Promise<boolean> {
  const [row] = await run<{ may: boolean }>(
    `SELECT coalesce(has_schema_privilege(to_regnamespace('${WORKSPACE_SCHEMA}'), 'CREATE'),
       has_database_privilege(current_database(), 'CREATE')) AS may`,
  );
  return row!.may;
}

/** Names of the views that are missing, lack a column that was added to their table, or lack a grant to the role. */
export async function missingViews(run: RunSql): Promise<string[]> {
  return (await run<{ name: string }>(MISSING)).map(({ name }) => name);
}
