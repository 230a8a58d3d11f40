import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Notifications of alerts may be held until a local time; what is held is marked in the matches. */
export class AlertDelivery1800000082000 implements MigrationInterface {
  /** The index is built beside writes. */
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE alerts ADD COLUMN IF NOT EXISTS delivery jsonb,
      ADD COLUMN IF NOT EXISTS digest_due_at timestamptz,
      ADD COLUMN IF NOT EXISTS sent_hour timestamptz,
      ADD COLUMN IF NOT EXISTS sent_in_hour integer NOT NULL DEFAULT 0`);
    await runner.query(
      'ALTER TABLE alert_matches ADD COLUMN IF NOT EXISTS is_held boolean NOT NULL DEFAULT false',
    );
    await runner.query('DROP INDEX IF EXISTS alerts_digest_due');
    await runner.query(
      'CREATE INDEX CONCURRENTLY alerts_digest_due ON alerts (digest_due_at) WHERE digest_due_at IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE alerts DROP COLUMN delivery, DROP COLUMN digest_due_at, DROP COLUMN sent_hour,
      DROP COLUMN sent_in_hour`);
    await runner.query('ALTER TABLE alert_matches DROP COLUMN is_held');
  }
}
