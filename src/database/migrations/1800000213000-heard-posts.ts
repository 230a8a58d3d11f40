import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Posts that a stream shows whole are stored without another request. */
export class HeardPosts1800000213000 implements MigrationInterface {
  name = 'HeardPosts1800000213000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE heard_texts ADD COLUMN IF NOT EXISTS post json');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE heard_texts DROP COLUMN post');
  }
}
