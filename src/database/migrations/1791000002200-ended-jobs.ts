import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An index to find jobs that are older than their retention. */
export class EndedJobs1791000002200 implements MigrationInterface {
  name = 'EndedJobs1791000002200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX jobs_ended ON jobs (completed_at) WHERE completed_at IS NOT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX jobs_ended');
  }
}
