import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The log of job executions, and the live workers. */
export class JobLog1792000003100 implements MigrationInterface {
  name = 'JobLog1792000003100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE job_log (
      workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      job_id uuid NOT NULL,
      seq integer NOT NULL,
      at timestamptz NOT NULL,
      level text NOT NULL,
      event text NOT NULL,
      message text NOT NULL,
      details jsonb NOT NULL DEFAULT '{}',
      PRIMARY KEY (workspace_id, job_id, seq)
    )`);
    await runner.query(`CREATE TABLE job_workers (
      id text PRIMARY KEY,
      seen_at timestamptz NOT NULL
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE job_workers');
    await runner.query('DROP TABLE job_log');
  }
}
