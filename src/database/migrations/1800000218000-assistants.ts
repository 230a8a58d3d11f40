import type { MigrationInterface, QueryRunner } from 'typeorm';
import { whenUnlocked } from '../run-sql.js';

/** Access that a person gave to an assistant: a session with rights and tokens of its own. */
export class Assistants1800000218000 implements MigrationInterface {
  name = 'Assistants1800000218000';
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    await whenUnlocked((lockTimeoutMs) =>
      runner.manager.query(
        `SET LOCAL lock_timeout = ${lockTimeoutMs}; ALTER TABLE sessions ADD COLUMN IF NOT EXISTS assistant jsonb`,
      ),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM sessions WHERE kind = 'assistant'`);
    await runner.query('ALTER TABLE sessions DROP COLUMN assistant');
  }
}
