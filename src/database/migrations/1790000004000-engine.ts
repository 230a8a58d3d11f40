import type { MigrationInterface, QueryRunner } from 'typeorm';

/** State of the scrape engine: attempts, results of each comment tree, media, and annotations of plugins. */
export class Engine1790000004000 implements MigrationInterface {
  name = 'Engine1790000004000';

  async up(runner: QueryRunner): Promise<void> {
    // Claims since the job last stored something, so that a job that always crashes ends.
    await runner.query('ALTER TABLE jobs ADD COLUMN attempts integer NOT NULL DEFAULT 0');
    // No foreign key: checking every row against its job, which the batch has locked anyway, costs more than writing
    // the row.
    await runner.query('ALTER TABLE job_posts DROP CONSTRAINT job_posts_workspace_id_job_id_fkey');
    // This tree's share of the job's counter, so that a tree read twice counts once.
    await runner.query('ALTER TABLE job_posts ADD COLUMN comments integer NOT NULL DEFAULT 0');
    for (const table of ['posts', 'comments'])
      await runner.query(`ALTER TABLE ${table} ADD COLUMN annotations jsonb NOT NULL DEFAULT '{}'`);

    await runner.query(`
      CREATE TABLE media_files (
        workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
        id uuid NOT NULL,
        post_id text NOT NULL,
        url text NOT NULL,
        content_type text NOT NULL,
        size bigint NOT NULL,
        sha256 text NOT NULL,
        path text NOT NULL,
        created_at timestamptz NOT NULL,
        PRIMARY KEY (workspace_id, id),
        UNIQUE (workspace_id, post_id, url)
      )`);

    // Files that a job has to download. Deleted with the job's work list.
    await runner.query(`
      CREATE TABLE job_media (
        workspace_id uuid NOT NULL,
        job_id uuid NOT NULL,
        post_id text NOT NULL,
        url text NOT NULL,
        audio_url text,
        pending boolean NOT NULL DEFAULT true,
        PRIMARY KEY (workspace_id, job_id, post_id, url),
        FOREIGN KEY (workspace_id, job_id, post_id)
          REFERENCES job_posts (workspace_id, job_id, post_id) ON DELETE CASCADE
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['job_media', 'media_files']) await runner.query(`DROP TABLE ${table}`);
    for (const table of ['posts', 'comments'])
      await runner.query(`ALTER TABLE ${table} DROP COLUMN annotations`);
    await runner.query('ALTER TABLE job_posts DROP COLUMN comments');
    await runner.query(`ALTER TABLE job_posts ADD FOREIGN KEY (workspace_id, job_id)
      REFERENCES jobs (workspace_id, id) ON DELETE CASCADE`);
    await runner.query('ALTER TABLE jobs DROP COLUMN attempts');
  }
}
