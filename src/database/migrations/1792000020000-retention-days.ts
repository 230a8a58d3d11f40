import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets workspaces set the age at which their posts, comments, media, deliveries and jobs are deleted. */
export class RetentionDays1792000020000 implements MigrationInterface {
  name = 'RetentionDays1792000020000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE workspaces ADD COLUMN retention_days jsonb NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE workspaces DROP COLUMN retention_days');
  }
}
