import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { RunSql } from '../run-sql.js';
import { secureRows } from '../secured-rows.js';

const TABLE = `
  CREATE TABLE IF NOT EXISTS pinned_trends (
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    trend jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    link_hash text,
    link_expires_at timestamptz,
    PRIMARY KEY (workspace_id, id)
  );
  -- A link names no workspace.
  CREATE UNIQUE INDEX IF NOT EXISTS pinned_trends_by_link ON pinned_trends (link_hash);`;

/** Trends that a workspace keeps, each with at most one read-only link. */
export class PinnedTrends1800000224000 implements MigrationInterface {
  name = 'PinnedTrends1800000224000';
  /** Tables are changed and secured one at a time. */
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    const run: RunSql = <Row>(sql: string) => runner.manager.query<Row[]>(sql);
    await run(TABLE);
    await secureRows(run);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE pinned_trends');
  }
}
