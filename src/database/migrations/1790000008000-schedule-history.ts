import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An index to find the oldest runs of all schedules, which are deleted after their retention. */
export class ScheduleHistory1790000008000 implements MigrationInterface {
  name = 'ScheduleHistory1790000008000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX schedule_runs_by_age ON schedule_runs (recorded_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX schedule_runs_by_age');
  }
}
