import type { MigrationInterface, QueryRunner } from 'typeorm';
import { type RunSql, whenUnlocked } from '../run-sql.js';
import { secureLists } from '../secured-rows.js';
import { DROP_VIEWS } from '../workspace-views.js';

const TABLES = ['posts', 'comments'];

/** The computed label of texts whose label a person set. */
export class CorrectedSentiment1800000208000 implements MigrationInterface {
  name = 'CorrectedSentiment1800000208000';
  /** Tables and their views are changed one at a time. */
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    const run: RunSql = <Row>(sql: string) => runner.manager.query<Row[]>(sql);
    for (const table of TABLES)
      await whenUnlocked((lockTimeoutMs) =>
        run(
          `SET LOCAL lock_timeout = ${lockTimeoutMs}; ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS model_label text`,
        ),
      );
    await secureLists(run);
  }

  async down(runner: QueryRunner): Promise<void> {
    const run: RunSql = <Row>(sql: string) => runner.manager.query<Row[]>(sql);
    await run(DROP_VIEWS);
    for (const table of TABLES) await run(`ALTER TABLE ${table} DROP COLUMN model_label`);
    await secureLists(run);
  }
}
