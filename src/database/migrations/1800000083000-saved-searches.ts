import type { MigrationInterface, QueryRunner } from 'typeorm';
import { secureRows } from '../secured-rows.js';

/** Searches that a workspace keeps under a name. */
export class SavedSearches1800000083000 implements MigrationInterface {
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE IF NOT EXISTS saved_searches (
      workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      id uuid NOT NULL,
      name text NOT NULL,
      "of" text NOT NULL,
      q text,
      filters jsonb NOT NULL,
      sort_by text,
      sort_order text NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (workspace_id, id)
    )`);
    await secureRows((sql) => runner.manager.query(sql));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE saved_searches');
  }
}
