import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Exports may replace names of accounts by pseudonyms. */
export class PseudonymizedExports1800000093100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE exports ADD COLUMN pseudonymize boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE exports DROP COLUMN pseudonymize');
  }
}
