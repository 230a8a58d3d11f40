import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What streams brought for one workspace only can be erased with what that workspace erases. */
export class TopicsOfOneWorkspace1800000180000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE stream_topics ADD COLUMN wanted_by uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE stream_topics DROP COLUMN wanted_by');
  }
}
