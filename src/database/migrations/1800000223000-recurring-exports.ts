import type { MigrationInterface, QueryRunner } from 'typeorm';
import { type RunSql, whenUnlocked } from '../run-sql.js';
import { secureRows } from '../secured-rows.js';

const TABLE = `
  CREATE TABLE IF NOT EXISTS recurring_exports (
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    name text NOT NULL,
    choices jsonb NOT NULL,
    only_changes boolean NOT NULL,
    destination_url text,
    sealed_secret text,
    every text NOT NULL,
    at text NOT NULL,
    weekday text NOT NULL,
    timezone text NOT NULL,
    is_active boolean NOT NULL DEFAULT true,
    due_at timestamptz NOT NULL,
    base jsonb,
    last_run jsonb,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (workspace_id, id)
  );
  -- Due ones are looked for over all workspaces.
  CREATE INDEX IF NOT EXISTS recurring_exports_due ON recurring_exports (due_at) WHERE is_active;`;

/** Exports that are made each day, week or month, and destinations of exports. */
export class RecurringExports1800000223000 implements MigrationInterface {
  name = 'RecurringExports1800000223000';
  /** Tables are changed and secured one at a time. */
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    const run: RunSql = <Row>(sql: string) => runner.manager.query<Row[]>(sql);
    await run(TABLE);
    await whenUnlocked((lockTimeoutMs) =>
      run(`SET LOCAL lock_timeout = ${lockTimeoutMs};
        ALTER TABLE exports ADD COLUMN IF NOT EXISTS recurring_id uuid,
          ADD COLUMN IF NOT EXISTS destination_url text, ADD COLUMN IF NOT EXISTS sealed_secret text`),
    );
    await secureRows(run);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE exports DROP COLUMN recurring_id, DROP COLUMN destination_url, DROP COLUMN sealed_secret',
    );
    await runner.query('DROP TABLE recurring_exports');
  }
}
