import type { MigrationInterface, QueryRunner } from 'typeorm';
import { secureRows } from '../secured-rows.js';

/** Labels of several labellers, and those whose labels are columns of a dataset. */
export class Labels1800000121000 implements MigrationInterface {
  /** Policies are added outside of a transaction. */
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE IF NOT EXISTS labels (
        workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
        labeller text NOT NULL,
        record_id text NOT NULL,
        label text NOT NULL,
        labelled_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (workspace_id, labeller, record_id)
      );
      CREATE INDEX IF NOT EXISTS labels_of_record ON labels (workspace_id, record_id);
      ALTER TABLE datasets ADD COLUMN IF NOT EXISTS labellers text[]`);
    await secureRows((sql) => runner.manager.query(sql));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE datasets DROP COLUMN labellers; DROP TABLE labels');
  }
}
