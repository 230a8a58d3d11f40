import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets API keys expire at a time set when they are created or rolled. */
export class ApiKeyExpiry1792000014000 implements MigrationInterface {
  name = 'ApiKeyExpiry1792000014000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_keys ADD COLUMN expires_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE api_keys DROP COLUMN expires_at');
  }
}
