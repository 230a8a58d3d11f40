import type pg from 'pg';
import { runSqlOn } from '../../database/run-sql.js';
import { SEARCH_SETTINGS } from '../../database/search-settings.js';
import { hasCitus, unsecuringStatements } from '../../database/secured-rows.js';

/** Tables of workspaces' data, distributed by `workspace_id`, with the rows of each workspace on the same node. */
export const DATA_TABLES = [
  'posts',
  'comments',
  'post_count_deltas',
  'comment_count_deltas',
  'post_scores',
  'media_files',
  'media_usage',
  'alert_matches',
  'alert_story_keys',
  'keyword_frequencies',
  'labels',
  'story_records',
  'search_changes',
  'search_segments',
  'search_blocks',
] as const;

/**
 * Tables that stay on the coordinator, because claims, the relay and pruners lock their rows across workspaces. Citus
 * does not know them: it would refuse `clock_timestamp()` in their changes, and lock all workspaces instead of one if
 * `workspaces` were a reference table.
 */
export const CONTROL_TABLES = [
  'admin_sessions',
  'alert_relevance',
  'alert_subscriptions',
  'alert_versions',
  'alerts',
  'api_keys',
  'arrivals',
  'audit_chain',
  'audit_entries',
  'content_rechecks',
  'dataset_parts',
  'datasets',
  'deliveries',
  'destination_queues',
  'dump_imports',
  'encryption_keys',
  'erased_hashes',
  'erasures',
  'export_parts',
  'exports',
  'heard_texts',
  'idempotency_keys',
  'idempotency_usage',
  'job_executions',
  'job_log',
  'job_media',
  'job_posts',
  'job_stored_posts',
  'job_turns',
  'job_workers',
  'jobs',
  'listened_days',
  'listeners',
  'migrations',
  'notification_addresses',
  'operator_accounts',
  'outbox_events',
  'pinned_trends',
  'reading_days',
  'recurring_exports',
  'reports',
  'saved_searches',
  'schedule_runs',
  'schedules',
  'sessions',
  'stream_cursors',
  'stream_deletions',
  'stream_gaps',
  'stream_posts',
  'stream_topics',
  'suppressed_hashes',
  'suppressions',
  'webhooks',
  'workspace_keys',
  'workspaces',
] as const;

interface Trigger {
  table: string;
  name: string;
  definition: string;
}

interface ForeignKey extends Trigger {
  referenced: string;
}

/**
 * The statements, in order, that distribute the tables of a migrated database; none for tables already distributed.
 * They remove row-level security, because Citus does not pass the workspace on to its nodes. They drop the foreign keys
 * of data tables and recreate those between data tables. Triggers are recreated too, because they would count the rows
 * that Citus copies to the nodes again. The coordinator's copies of these rows are deleted. The settings of searches
 * become those of the login, because Citus passes changes of a login on to the nodes, and settings of a session not.
 */
export async function planDistribution(client: pg.Client): Promise<string[]> {
  const distributed = await distributedTables(client);
  const remaining = DATA_TABLES.filter((table) => !distributed.includes(table));
  const keys = await foreignKeysOf(client, remaining);
  const triggers = await triggersOf(client, remaining);
  const kept = keys.filter(({ referenced }) => DATA_TABLES.some((table) => table === referenced));
  return [
    ...(await unsecuringStatements(runSqlOn(client))),
    ...keys.map(({ table, name }) => `ALTER TABLE ${table} DROP CONSTRAINT ${name}`),
    ...triggers.map(({ table, name }) => `DROP TRIGGER ${name} ON ${table}`),
    ...remaining.map((table) =>
      table === DATA_TABLES[0]
        ? `SELECT create_distributed_table('${table}', 'workspace_id')`
        : `SELECT create_distributed_table('${table}', 'workspace_id', colocate_with => '${DATA_TABLES[0]}')`,
    ),
    ...remaining.map((table) => `SELECT truncate_local_data_after_distributing_table('${table}')`),
    ...kept.map(({ table, name, definition }) => `ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`),
    ...triggers.map(({ definition }) => definition),
    ...(await settingStatements(client)),
  ];
}

/** Those that the login does not have in this database. */
async function settingStatements(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ statement: string }>(
    `SELECT format('ALTER ROLE %I IN DATABASE %I SET %I = %L', current_user, current_database(), name, value) AS statement
     FROM unnest($1::text[], $2::text[]) AS settings (name, value)
     WHERE NOT EXISTS (SELECT FROM pg_db_role_setting
       WHERE setrole = current_user::regrole
         AND setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
         AND name || '=' || value = ANY (setconfig))`,
    [SEARCH_SETTINGS.map(([name]) => name), SEARCH_SETTINGS.map(([, value]) => value)],
  );
  return rows.map(({ statement }) => statement);
}

async function distributedTables(client: pg.Client): Promise<string[]> {
  if (!(await hasCitus(runSqlOn(client)))) return [];
  const { rows } = await client.query<{ name: string }>(
    `SELECT logicalrelid::regclass::text AS name FROM pg_dist_partition WHERE partmethod = 'h'`,
  );
  return rows.map(({ name }) => name);
}

async function foreignKeysOf(client: pg.Client, tables: readonly string[]): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `SELECT conrelid::regclass::text AS table, conname AS name, confrelid::regclass::text AS referenced,
       pg_get_constraintdef(oid) AS definition
     FROM pg_constraint
     WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conrelid::regclass::text = ANY($1)
     ORDER BY 1, 2`,
    [tables],
  );
  return rows;
}

async function triggersOf(client: pg.Client, tables: readonly string[]): Promise<Trigger[]> {
  const { rows } = await client.query<Trigger>(
    `SELECT tgrelid::regclass::text AS table, tgname AS name, pg_get_triggerdef(oid) AS definition
     FROM pg_trigger WHERE NOT tgisinternal AND tgrelid::regclass::text = ANY($1) ORDER BY 1, 2`,
    [tables],
  );
  return rows;
}
