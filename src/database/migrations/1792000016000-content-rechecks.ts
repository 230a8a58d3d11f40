import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Positions of the passes that recheck stored content, and the content that they found removed. */
export class ContentRechecks1792000016000 implements MigrationInterface {
  name = 'ContentRechecks1792000016000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE content_rechecks (
        workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
        source text NOT NULL,
        kind text NOT NULL CONSTRAINT content_rechecks_kind_check CHECK (kind IN ('posts', 'comments')),
        due_at timestamptz NOT NULL,
        lease_until timestamptz,
        pass_started_at timestamptz,
        after_time text,
        after_id text,
        checked bigint NOT NULL DEFAULT 0,
        deleted bigint NOT NULL DEFAULT 0,
        removed bigint NOT NULL DEFAULT 0,
        account_deleted bigint NOT NULL DEFAULT 0,
        PRIMARY KEY (workspace_id, source, kind)
      )`);
    await runner.query('CREATE INDEX content_rechecks_due ON content_rechecks (due_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE content_rechecks');
  }
}
