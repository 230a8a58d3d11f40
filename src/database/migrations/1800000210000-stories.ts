import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { RunSql } from '../run-sql.js';
import { secureRows } from '../secured-rows.js';

const TABLE = `
  CREATE TABLE IF NOT EXISTS story_records (
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    scope bigint NOT NULL,
    record_id text NOT NULL,
    story_id uuid NOT NULL,
    stored_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, scope, record_id)
  );
  CREATE INDEX IF NOT EXISTS story_records_of_story ON story_records (workspace_id, story_id);
  CREATE INDEX IF NOT EXISTS story_records_of_record ON story_records (workspace_id, record_id);
  CREATE INDEX IF NOT EXISTS story_records_oldest ON story_records (stored_at);`;

/** Which posts and comments are in which story. */
export class Stories1800000210000 implements MigrationInterface {
  name = 'Stories1800000210000';
  /** Tables are secured one at a time. */
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    const run: RunSql = <Row>(sql: string) => runner.manager.query<Row[]>(sql);
    await run(TABLE);
    await secureRows(run);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE story_records');
  }
}
