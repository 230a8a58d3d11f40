import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { RunSql } from '../run-sql.js';
import { secureRows } from '../secured-rows.js';

const CHANGES = `
  ALTER TABLE alerts ADD COLUMN IF NOT EXISTS min_relevance real;
  ALTER TABLE alert_matches ADD COLUMN IF NOT EXISTS relevance real;

  -- Without a foreign key to alerts, which would make a decision wait for a batch that locks its alert.
  CREATE TABLE IF NOT EXISTS alert_relevance (
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    alert_id uuid NOT NULL,
    model bytea,
    learned_at timestamptz,
    due_at timestamptz,
    claimed_until timestamptz,
    PRIMARY KEY (workspace_id, alert_id)
  );
  -- Due alerts are looked for over all workspaces.
  CREATE INDEX IF NOT EXISTS alert_relevance_due ON alert_relevance ((coalesce(claimed_until, due_at)))
    WHERE coalesce(claimed_until, due_at) IS NOT NULL;`;

/** How relevant the matches of an alert are, as learned from decisions on them. */
export class AlertRelevance1800000206000 implements MigrationInterface {
  name = 'AlertRelevance1800000206000';
  /** Tables are secured one at a time. */
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    const run: RunSql = <Row>(sql: string) => runner.manager.query<Row[]>(sql);
    await run(CHANGES);
    await secureRows(run);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE alert_relevance');
    await runner.query('ALTER TABLE alert_matches DROP COLUMN relevance');
    await runner.query('ALTER TABLE alerts DROP COLUMN min_relevance');
  }
}
