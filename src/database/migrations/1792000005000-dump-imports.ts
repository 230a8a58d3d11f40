import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Positions of dump imports, from which an interrupted import resumes. */
export class DumpImports1792000005000 implements MigrationInterface {
  name = 'DumpImports1792000005000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE dump_imports (
        workspace_id uuid NOT NULL REFERENCES workspaces ON DELETE CASCADE,
        fingerprint bytea NOT NULL,
        file text NOT NULL,
        lines bigint NOT NULL,
        posts bigint NOT NULL,
        comments bigint NOT NULL,
        damaged_lines bigint NOT NULL,
        completed_at timestamptz,
        updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (workspace_id, fingerprint)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE dump_imports');
  }
}
