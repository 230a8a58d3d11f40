import type { MigrationInterface, QueryRunner } from 'typeorm';
import { type RunSql, whenUnlocked } from '../run-sql.js';
import { secureLists } from '../secured-rows.js';
import { DROP_VIEWS } from '../workspace-views.js';

/** The fields of posts that their source does not tell. */
export class UnknownFields1800000215000 implements MigrationInterface {
  name = 'UnknownFields1800000215000';
  /** The table and its view are changed one after the other. */
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    const run: RunSql = <Row>(sql: string) => runner.manager.query<Row[]>(sql);
    await whenUnlocked((lockTimeoutMs) =>
      run(
        `SET LOCAL lock_timeout = ${lockTimeoutMs}; ALTER TABLE posts ADD COLUMN IF NOT EXISTS unknown_fields text[] NOT NULL DEFAULT '{}'`,
      ),
    );
    await secureLists(run);
  }

  async down(runner: QueryRunner): Promise<void> {
    const run: RunSql = <Row>(sql: string) => runner.manager.query<Row[]>(sql);
    await run(DROP_VIEWS);
    await run('ALTER TABLE posts DROP COLUMN unknown_fields');
    await secureLists(run);
  }
}
