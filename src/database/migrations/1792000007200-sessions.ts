import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sessions of browsers: they end with their API key. */
export class Sessions1792000007200 implements MigrationInterface {
  name = 'Sessions1792000007200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE sessions (
      workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      token_hash bytea NOT NULL,
      api_key_id uuid NOT NULL,
      expires_at timestamptz NOT NULL,
      PRIMARY KEY (workspace_id, token_hash)
    )`);
    // The one look-up without a workspace: it is what finds the workspace.
    await runner.query('CREATE UNIQUE INDEX sessions_token_hash ON sessions (token_hash)');
    await runner.query('CREATE INDEX sessions_expired ON sessions (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sessions');
  }
}
