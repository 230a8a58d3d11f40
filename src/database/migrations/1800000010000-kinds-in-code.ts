import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Channels and export formats are defined in code alone, so that adding one needs no migration. */
export class KindsInCode1800000010000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE alerts DROP CONSTRAINT alerts_channel_check');
    await runner.query('ALTER TABLE exports DROP CONSTRAINT exports_format_check');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE alerts ADD CONSTRAINT alerts_channel_check
      CHECK (channel IN ('email', 'chat_a', 'chat_b', 'webhook', 'discord', 'telegram', 'slack'))`);
    await runner.query(`ALTER TABLE exports ADD CONSTRAINT exports_format_check
      CHECK (format IN ('csv', 'json', 'ndjson', 'parquet'))`);
  }
}
