import type { MigrationInterface, QueryRunner } from 'typeorm';
import { whenUnlocked } from '../run-sql.js';

/** The name of an export and its chosen columns. */
export class ExportChoices1800000219000 implements MigrationInterface {
  name = 'ExportChoices1800000219000';
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    await whenUnlocked((lockTimeoutMs) =>
      runner.manager.query(
        `SET LOCAL lock_timeout = ${lockTimeoutMs};
         ALTER TABLE exports ADD COLUMN IF NOT EXISTS name text, ADD COLUMN IF NOT EXISTS columns text[]`,
      ),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE exports DROP COLUMN name, DROP COLUMN columns');
  }
}
