import type { MigrationInterface, QueryRunner } from 'typeorm';
import { secureRows } from '../secured-rows.js';

/** Audit entries form a chain of hashes, requests may only add them, and actors are defined in code alone. */
export class AuditChain1800000094000 implements MigrationInterface {
  name = 'AuditChain1800000094000';
  /** Indexes are built beside writes, and tables are locked one at a time. */
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE audit_entries ADD COLUMN IF NOT EXISTS sequence bigint,
      ADD COLUMN IF NOT EXISTS hash bytea, DROP CONSTRAINT IF EXISTS audit_entries_actor_check`);
    for (const [name, definition] of INDEXES) {
      await runner.query(`DROP INDEX IF EXISTS ${name}`);
      await runner.query(definition);
    }
    await runner.query(`CREATE TABLE IF NOT EXISTS audit_chain (
      id boolean PRIMARY KEY DEFAULT true CHECK (id),
      sequence bigint NOT NULL DEFAULT 0,
      hash bytea NOT NULL,
      pruned_sequence bigint NOT NULL DEFAULT 0,
      pruned_hash bytea NOT NULL
    )`);
    await secureRows(<Row>(sql: string): Promise<Row[]> => runner.manager.query<Row[]>(sql));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit_chain');
    await runner.query('ALTER TABLE audit_entries DROP COLUMN sequence, DROP COLUMN hash');
  }
}

const INDEXES = [
  [
    'audit_entries_sequence',
    'CREATE UNIQUE INDEX CONCURRENTLY audit_entries_sequence ON audit_entries (sequence)',
  ],
  [
    'audit_entries_unsealed',
    `CREATE INDEX CONCURRENTLY audit_entries_unsealed ON audit_entries (recorded_at, id) WHERE sequence IS NULL`,
  ],
] as const;
