import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the scrape engine keeps beside its jobs: attempts, what every tree brought, media and what plugins noted. */
export class Engine1790000004000 implements MigrationInterface {
  name = 'Engine1790000004000';

  async up(runner: QueryRunner): Promise<void> {
    // Claims since the job last stored something: a job that only ever crashes must end.
    await runner.query('ALTER TABLE jobs ADD COLUMN attempts integer NOT NULL DEFAULT 0');
    // What the job's counter holds of this tree, so that a tree walked twice counts once.
    await runner.query('ALTER TABLE job_posts ADD COLUMN comments integer NOT NULL DEFAULT 0');
    for (const table of ['posts', 'comments'])
      await runner.query(`ALTER TABLE ${table} ADD COLUMN annotations jsonb NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['posts', 'comments'])
      await runner.query(`ALTER TABLE ${table} DROP COLUMN annotations`);
    await runner.query('ALTER TABLE job_posts DROP COLUMN comments');
    await runner.query('ALTER TABLE jobs DROP COLUMN attempts');
  }
}
