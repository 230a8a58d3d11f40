import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How often the worker of a job died before the job stored anything. */
export class WorkerDeaths1800000204000 implements MigrationInterface {
  name = 'WorkerDeaths1800000204000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE job_executions ADD COLUMN IF NOT EXISTS worker_deaths integer NOT NULL DEFAULT 0',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE job_executions DROP COLUMN worker_deaths');
  }
}
