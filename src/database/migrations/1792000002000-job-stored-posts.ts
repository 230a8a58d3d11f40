import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Records which posts a job stored, even after its work list is emptied. */
export class JobStoredPosts1792000002000 implements MigrationInterface {
  name = 'JobStoredPosts1792000002000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE job_stored_posts (
        workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
        job_id uuid NOT NULL,
        post_ids text[] NOT NULL,
        PRIMARY KEY (workspace_id, job_id)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE job_stored_posts');
  }
}
