import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The stories that an alert on stories knows. */
export class StoryAlerts1800000214000 implements MigrationInterface {
  name = 'StoryAlerts1800000214000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE alerts ADD COLUMN IF NOT EXISTS story jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE alerts DROP COLUMN story');
  }
}
