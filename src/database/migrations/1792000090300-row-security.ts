import type { MigrationInterface, QueryRunner } from 'typeorm';
import { secureRows, unsecuringStatements } from '../secured-rows.js';

/**
 * Requests run as a role that sees and changes rows of only one workspace. Nothing changes where that role cannot be
 * created.
 */
export class RowSecurity1792000090300 implements MigrationInterface {
  name = 'RowSecurity1792000090300';
  /** Locks one table at a time. */
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    await secureRows((sql) => runner.manager.query(sql));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of await unsecuringStatements((sql) => runner.manager.query(sql)))
      await runner.query(statement);
  }
}
