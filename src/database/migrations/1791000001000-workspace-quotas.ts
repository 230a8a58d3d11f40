import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Quotas of individual workspaces that differ from the operator's defaults, by name. */
export class WorkspaceQuotas1791000001000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE workspaces ADD COLUMN quotas jsonb NOT NULL DEFAULT '{}'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE workspaces DROP COLUMN quotas`);
  }
}
