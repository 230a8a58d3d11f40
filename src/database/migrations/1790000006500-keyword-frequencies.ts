import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How often each workspace's posts contain each keyword, learned from its ended jobs. */
export class KeywordFrequencies1790000006500 implements MigrationInterface {
  name = 'KeywordFrequencies1790000006500';

  async up(runner: QueryRunner): Promise<void> {
    // A version never changes, so that a resumed job reads the same frequencies as before.
    await runner.query(`
      CREATE TABLE keyword_frequencies (
        workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
        version integer NOT NULL,
        state bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (workspace_id, version)
      )`);
    // Hashes are incompressible.
    await runner.query('ALTER TABLE keyword_frequencies ALTER COLUMN state SET STORAGE EXTERNAL');
    await runner.query('ALTER TABLE jobs ADD COLUMN keywords_version integer');
    await runner.query('ALTER TABLE job_posts ADD COLUMN is_new boolean NOT NULL DEFAULT false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE job_posts DROP COLUMN is_new');
    await runner.query('ALTER TABLE jobs DROP COLUMN keywords_version');
    await runner.query('DROP TABLE keyword_frequencies');
  }
}
