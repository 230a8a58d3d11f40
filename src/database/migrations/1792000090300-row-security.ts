import type { MigrationInterface, QueryRunner } from 'typeorm';
import { secureRows, unsecuringStatements } from '../secured-rows.js';

/** Requests work as a role that sees and changes rows of one workspace; where the role may not be created, nothing changes. */
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
