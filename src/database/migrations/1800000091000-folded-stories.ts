import type { MigrationInterface, QueryRunner } from 'typeorm';
import { secureRows } from '../secured-rows.js';

/** Matches of reposts are folded into the first match of their story. */
export class FoldedStories1800000091000 implements MigrationInterface {
  /** Tables are locked briefly and separately. */
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE alerts ADD COLUMN IF NOT EXISTS fold_duplicates boolean NOT NULL DEFAULT true',
    );
    await runner.query(`ALTER TABLE alert_matches ADD COLUMN IF NOT EXISTS folded_into uuid,
      ADD COLUMN IF NOT EXISTS duplicates integer NOT NULL DEFAULT 0`);
    await runner.query(`CREATE TABLE IF NOT EXISTS alert_story_keys (
      workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      key bigint NOT NULL,
      record_id text NOT NULL,
      language text NOT NULL,
      stored_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (workspace_id, key, record_id)
    )`);
    await runner.query(
      'CREATE INDEX IF NOT EXISTS alert_story_keys_stored ON alert_story_keys (workspace_id, stored_at)',
    );
    await secureRows((sql) => runner.manager.query(sql));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE alert_story_keys');
    await runner.query('ALTER TABLE alert_matches DROP COLUMN folded_into, DROP COLUMN duplicates');
    await runner.query('ALTER TABLE alerts DROP COLUMN fold_duplicates');
  }
}
