import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deliveries remember which of several recipients have not been reached yet. */
export class RemainingRecipients1800000041000 implements MigrationInterface {
  name = 'RemainingRecipients1800000041000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE deliveries ADD COLUMN remaining text[]');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE deliveries DROP COLUMN remaining');
  }
}
