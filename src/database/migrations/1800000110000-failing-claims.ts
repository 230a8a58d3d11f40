import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Workers record since when they fail to claim jobs, and why. */
export class FailingClaims1800000110000 implements MigrationInterface {
  name = 'FailingClaims1800000110000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE job_workers ADD COLUMN claims_failing_since timestamptz, ADD COLUMN claim_failure text',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE job_workers DROP COLUMN claims_failing_since, DROP COLUMN claim_failure');
  }
}
