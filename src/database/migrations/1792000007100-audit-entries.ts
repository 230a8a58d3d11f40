import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The audit log: who changed what, when and from where. Entries outlive workspaces, so they have no foreign key. */
export class AuditEntries1792000007100 implements MigrationInterface {
  name = 'AuditEntries1792000007100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE audit_entries (
      id uuid PRIMARY KEY,
      recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      actor text NOT NULL CONSTRAINT audit_entries_actor_check CHECK (actor IN ('api_key', 'admin', 'command_line')),
      actor_name text,
      ip text,
      action text NOT NULL,
      target_workspace_id uuid,
      resource jsonb NOT NULL DEFAULT '{}',
      fields text[] NOT NULL DEFAULT '{}',
      status integer,
      request_id text
    )`);
    await runner.query('CREATE INDEX audit_entries_newest ON audit_entries (recorded_at, id)');
    await runner.query(
      'CREATE INDEX audit_entries_of_workspace ON audit_entries (target_workspace_id, recorded_at, id)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE audit_entries');
  }
}
