import type { MigrationInterface, QueryRunner } from 'typeorm';
import { secureLists, secureRows, unsecuringStatements } from '../secured-rows.js';

/**
 * Requests run as a role that sees and changes rows of only one workspace, and reads lists of posts and comments
 * through views. Nothing changes where that role cannot be created.
 */
export class RowSecurity1800000201000 implements MigrationInterface {
  name = 'RowSecurity1800000201000';
  /** Locks one table at a time. */
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    const run = <Row>(sql: string): Promise<Row[]> => runner.manager.query<Row[]>(sql);
    await secureRows(run);
    await secureLists(run);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of await unsecuringStatements((sql) => runner.manager.query(sql)))
      await runner.query(statement);
  }
}
