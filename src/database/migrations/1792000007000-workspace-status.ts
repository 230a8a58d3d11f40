import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets workspaces be suspended and deleted, and indexes them by creation time for lists. */
export class WorkspaceStatus1792000007000 implements MigrationInterface {
  name = 'WorkspaceStatus1792000007000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE workspaces
      ADD COLUMN status text NOT NULL DEFAULT 'active'
        CONSTRAINT workspaces_status_check CHECK (status IN ('active', 'suspended', 'deleting')),
      ADD COLUMN deletion jsonb`);
    await runner.query('CREATE INDEX workspaces_newest ON workspaces (created_at, id)');
    await runner.query(
      `CREATE INDEX workspaces_not_active ON workspaces (id, status) WHERE status <> 'active'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX workspaces_not_active');
    await runner.query('DROP INDEX workspaces_newest');
    await runner.query('ALTER TABLE workspaces DROP COLUMN deletion, DROP COLUMN status');
  }
}
