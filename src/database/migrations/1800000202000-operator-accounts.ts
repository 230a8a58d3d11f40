import type { MigrationInterface, QueryRunner } from 'typeorm';
import { secureRows } from '../secured-rows.js';

/** The account of each operator who signs in at an identity provider. */
export class OperatorAccounts1800000202000 implements MigrationInterface {
  name = 'OperatorAccounts1800000202000';
  /** `secureRows` locks one table at a time. */
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE IF NOT EXISTS operator_accounts (
      email text PRIMARY KEY,
      subject text NOT NULL,
      bound_at timestamptz NOT NULL DEFAULT now()
    )`);
    await secureRows((sql) => runner.manager.query(sql));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE operator_accounts');
  }
}
