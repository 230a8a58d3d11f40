import type { MigrationInterface, QueryRunner } from 'typeorm';
import { secureRows } from '../secured-rows.js';

/** Datasets with their files, and hashes of what an erasure has erased so far, by which it finds the rows in them. */
export class Datasets1800000120000 implements MigrationInterface {
  /** Policies are added outside of a transaction. */
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE IF NOT EXISTS datasets (
        workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
        id uuid NOT NULL,
        name text NOT NULL,
        kind text NOT NULL CONSTRAINT datasets_kind_check CHECK (kind IN ('posts', 'comments')),
        filters jsonb NOT NULL,
        status text NOT NULL DEFAULT 'pending' CONSTRAINT datasets_status_check
          CHECK (status IN ('pending', 'running', 'completed', 'failed')),
        error_message text,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        frozen_at timestamptz,
        completed_at timestamptz,
        sources jsonb NOT NULL DEFAULT '{}',
        models jsonb,
        erased_rows integer NOT NULL DEFAULT 0,
        erased_at timestamptz,
        lease_owner text,
        lease_until timestamptz,
        attempts integer NOT NULL DEFAULT 0,
        PRIMARY KEY (workspace_id, id)
      );
      CREATE INDEX IF NOT EXISTS datasets_newest ON datasets (workspace_id, created_at, id);
      CREATE INDEX IF NOT EXISTS datasets_unfinished ON datasets (created_at) WHERE status IN ('pending', 'running');
      CREATE TABLE IF NOT EXISTS dataset_parts (
        workspace_id uuid NOT NULL,
        dataset_id uuid NOT NULL,
        number integer NOT NULL,
        key text NOT NULL,
        rows integer NOT NULL,
        bytes bigint NOT NULL,
        sha256 text NOT NULL,
        replaced_key text,
        PRIMARY KEY (workspace_id, dataset_id, number),
        FOREIGN KEY (workspace_id, dataset_id) REFERENCES datasets (workspace_id, id) ON DELETE CASCADE
      );
      CREATE TABLE IF NOT EXISTS erased_hashes (
        workspace_id uuid NOT NULL,
        erasure_id uuid NOT NULL,
        hash bytea NOT NULL,
        PRIMARY KEY (workspace_id, erasure_id, hash),
        FOREIGN KEY (workspace_id, erasure_id) REFERENCES erasures (workspace_id, id) ON DELETE CASCADE
      )`);
    await secureRows((sql) => runner.manager.query(sql));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE erased_hashes, dataset_parts, datasets');
  }
}
