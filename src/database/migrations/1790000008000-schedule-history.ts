import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the oldest runs of all schedules, which are forgotten after a while. */
export class ScheduleHistory1790000008000 implements MigrationInterface {
  name = 'ScheduleHistory1790000008000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX schedule_runs_by_age ON schedule_runs (recorded_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX schedule_runs_by_age');
  }
}
