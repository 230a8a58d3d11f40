import type { MigrationInterface, QueryRunner } from 'typeorm';
import { whenUnlocked } from '../run-sql.js';

/** Names of records and values before and after their changes, for the history of a workspace. */
export class AuditDetails1800000216000 implements MigrationInterface {
  name = 'AuditDetails1800000216000';
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    await whenUnlocked((lockTimeoutMs) =>
      runner.manager.query(
        `SET LOCAL lock_timeout = ${lockTimeoutMs}; ALTER TABLE audit_entries ADD COLUMN IF NOT EXISTS details jsonb`,
      ),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE audit_entries DROP COLUMN details');
  }
}
