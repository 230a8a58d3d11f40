import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the address of a copy to the files that jobs have to download. */
export class MediaFallbacks1800000040000 implements MigrationInterface {
  name = 'MediaFallbacks1800000040000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE job_media ADD COLUMN fallback_url text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE job_media DROP COLUMN fallback_url');
  }
}
