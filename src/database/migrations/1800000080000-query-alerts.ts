import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Alerts may have a query, and may watch comments. */
export class QueryAlerts1800000080000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE alerts ADD COLUMN query text, ADD COLUMN "of" text NOT NULL DEFAULT 'posts'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM alert_matches WHERE starts_with(post_id, 'comment:')`);
    await runner.query('ALTER TABLE alerts DROP COLUMN query, DROP COLUMN "of"');
  }
}
