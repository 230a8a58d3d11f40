import type { MigrationInterface, QueryRunner } from 'typeorm';
import { type RunSql, whenUnlocked } from '../run-sql.js';
import { secureLists } from '../secured-rows.js';
import { DROP_VIEWS } from '../workspace-views.js';

const TABLES = ['posts', 'comments'];

/**
 * Whether a text promotes something; rows say no until they are stored again. Search segments stay as they are: one
 * without the property says no of all its rows, too.
 */
export class Promotion1800000217000 implements MigrationInterface {
  name = 'Promotion1800000217000';
  /** Tables and their views are changed one at a time. */
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    const run: RunSql = <Row>(sql: string) => runner.manager.query<Row[]>(sql);
    for (const table of TABLES)
      await whenUnlocked((lockTimeoutMs) =>
        run(
          `SET LOCAL lock_timeout = ${lockTimeoutMs}; ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS is_promotion boolean NOT NULL DEFAULT false`,
        ),
      );
    await secureLists(run);
  }

  async down(runner: QueryRunner): Promise<void> {
    const run: RunSql = <Row>(sql: string) => runner.manager.query<Row[]>(sql);
    await run(DROP_VIEWS);
    for (const table of TABLES) await run(`ALTER TABLE ${table} DROP COLUMN is_promotion`);
    await secureLists(run);
  }
}
