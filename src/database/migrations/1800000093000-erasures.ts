import type { MigrationInterface, QueryRunner } from 'typeorm';
import { secureRows } from '../secured-rows.js';

/** Erasures, what they suppress, and the keys that hash it. */
export class Erasures1800000093000 implements MigrationInterface {
  /** Policies are added outside of a transaction. */
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE IF NOT EXISTS workspace_keys (
        workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
        purpose text NOT NULL,
        sealed_key text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (workspace_id, purpose)
      );
      CREATE TABLE IF NOT EXISTS suppressions (
        workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
        id uuid NOT NULL,
        kind text NOT NULL,
        hash bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (workspace_id, id),
        UNIQUE (workspace_id, hash)
      );
      CREATE INDEX IF NOT EXISTS suppressions_newest ON suppressions (workspace_id, created_at, id);
      CREATE TABLE IF NOT EXISTS suppressed_hashes (
        workspace_id uuid NOT NULL,
        hash bytea NOT NULL,
        suppression_id uuid NOT NULL,
        PRIMARY KEY (workspace_id, hash, suppression_id),
        FOREIGN KEY (workspace_id, suppression_id) REFERENCES suppressions (workspace_id, id) ON DELETE CASCADE
      );
      CREATE INDEX IF NOT EXISTS suppressed_hashes_of_suppression
        ON suppressed_hashes (workspace_id, suppression_id);
      CREATE TABLE IF NOT EXISTS erasures (
        workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
        id uuid NOT NULL,
        kind text NOT NULL,
        source text,
        subject_hash bytea NOT NULL,
        sealed_subject text,
        reason text NOT NULL,
        suppress boolean NOT NULL,
        suppression_id uuid,
        phase text NOT NULL,
        scanned_to text,
        removed jsonb NOT NULL,
        lease_until timestamptz,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        completed_at timestamptz,
        PRIMARY KEY (workspace_id, id)
      );
      CREATE INDEX IF NOT EXISTS erasures_newest ON erasures (workspace_id, created_at, id);
      CREATE INDEX IF NOT EXISTS erasures_unfinished ON erasures (created_at) WHERE completed_at IS NULL`);
    await secureRows((sql) => runner.manager.query(sql));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE erasures, suppressed_hashes, suppressions, workspace_keys');
  }
}
