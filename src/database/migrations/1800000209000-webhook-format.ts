import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The form of the bodies that a webhook receives. */
export class WebhookFormat1800000209000 implements MigrationInterface {
  name = 'WebhookFormat1800000209000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE webhooks ADD COLUMN IF NOT EXISTS format text NOT NULL DEFAULT 'standard'
         CHECK (format IN ('standard', 'cloudevents'))`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhooks DROP COLUMN format');
  }
}
