import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stores the total media bytes of each workspace, because summing over its files would make each download slower as
 * they grow in number.
 */
export class MediaUsage1792000001000 implements MigrationInterface {
  name = 'MediaUsage1792000001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE media_usage (
      workspace_id uuid PRIMARY KEY REFERENCES workspaces (id) ON DELETE CASCADE,
      bytes bigint NOT NULL
    )`);
    await runner.query(`INSERT INTO media_usage (workspace_id, bytes)
      SELECT workspace_id, sum(size) FROM media_files GROUP BY workspace_id`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE media_usage');
  }
}
