import type { MigrationInterface, QueryRunner } from 'typeorm';
import { type RunSql, whenUnlocked } from '../run-sql.js';
import { secureRows } from '../secured-rows.js';

const TABLE = `
  CREATE TABLE IF NOT EXISTS reports (
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    name text NOT NULL,
    alert_ids uuid[] NOT NULL,
    search_ids uuid[] NOT NULL,
    every text NOT NULL,
    at text NOT NULL,
    weekday text NOT NULL,
    timezone text NOT NULL,
    channel text NOT NULL,
    sealed_channel_config text NOT NULL,
    channel_failing_since timestamptz,
    channel_disabled_reason text,
    due_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (workspace_id, id)
  );
  -- Due reports are looked for over all workspaces.
  CREATE INDEX IF NOT EXISTS reports_due ON reports (due_at);`;

/** The columns whose values are listed by a check, with the values before reports. */
const CHECKS = [
  ['outbox_events', 'subject_kind', `'job', 'alert', 'webhook', 'export'`],
  ['deliveries', 'destination_kind', `'webhook', 'alert', 'member'`],
] as const;

/** Replaces a check; the rows are validated without a lock that blocks writes. */
async function replaceCheck(run: RunSql, table: string, column: string, values: string): Promise<void> {
  const name = `${table}_${column}_check`;
  await whenUnlocked((lockTimeoutMs) =>
    run(`SET LOCAL lock_timeout = ${lockTimeoutMs}; ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${name},
      ADD CONSTRAINT ${name} CHECK (${column} IN (${values})) NOT VALID`),
  );
  await run(`ALTER TABLE ${table} VALIDATE CONSTRAINT ${name}`);
}

/** Reports on alerts and saved searches, sent once a period. */
export class Reports1800000211000 implements MigrationInterface {
  name = 'Reports1800000211000';
  /** Tables are changed and secured one at a time. */
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    const run: RunSql = <Row>(sql: string) => runner.manager.query<Row[]>(sql);
    await run(TABLE);
    for (const [table, column, values] of CHECKS)
      await replaceCheck(run, table, column, `${values}, 'report'`);
    await secureRows(run);
  }

  async down(runner: QueryRunner): Promise<void> {
    const run: RunSql = <Row>(sql: string) => runner.manager.query<Row[]>(sql);
    await run(`DELETE FROM destination_queues WHERE destination_kind = 'report'`);
    await run(`DELETE FROM outbox_events WHERE subject_kind = 'report'`);
    for (const [table, column, values] of CHECKS) await replaceCheck(run, table, column, values);
    await run('DROP TABLE reports');
  }
}
