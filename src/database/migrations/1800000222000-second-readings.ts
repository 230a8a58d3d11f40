import type { MigrationInterface, QueryRunner } from 'typeorm';
import { type RunSql, whenUnlocked } from '../run-sql.js';
import { secureRows } from '../secured-rows.js';

const TABLE = `CREATE TABLE IF NOT EXISTS reading_days (
  workspace_id uuid PRIMARY KEY REFERENCES workspaces (id) ON DELETE CASCADE,
  day date NOT NULL,
  calls integer NOT NULL
)`;

const COLUMNS = [
  'ALTER TABLE alerts ADD COLUMN IF NOT EXISTS question text',
  `ALTER TABLE alert_matches ADD COLUMN IF NOT EXISTS reading jsonb,
     ADD COLUMN IF NOT EXISTS reading_due_at timestamptz`,
];

/** Questions of alerts, and the second readings of their matches. */
export class SecondReadings1800000222000 implements MigrationInterface {
  name = 'SecondReadings1800000222000';
  /** The index is built while rows are written. */
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    const run: RunSql = <Row>(sql: string) => runner.manager.query<Row[]>(sql);
    for (const change of COLUMNS)
      await whenUnlocked((lockTimeoutMs) => run(`SET LOCAL lock_timeout = ${lockTimeoutMs}; ${change}`));
    await run(TABLE);
    await run('DROP INDEX CONCURRENTLY IF EXISTS alert_matches_unread');
    await run(
      'CREATE INDEX CONCURRENTLY alert_matches_unread ON alert_matches (reading_due_at) WHERE reading_due_at IS NOT NULL',
    );
    await secureRows(run);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE reading_days');
    await runner.query('ALTER TABLE alert_matches DROP COLUMN reading, DROP COLUMN reading_due_at');
    await runner.query('ALTER TABLE alerts DROP COLUMN question');
  }
}
