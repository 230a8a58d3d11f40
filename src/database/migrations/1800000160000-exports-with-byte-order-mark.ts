import type { MigrationInterface, QueryRunner } from 'typeorm';

/** CSV files of exports may begin with a byte order mark. */
export class ExportsWithByteOrderMark1800000160000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE exports ADD COLUMN byte_order_mark boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE exports DROP COLUMN byte_order_mark');
  }
}
