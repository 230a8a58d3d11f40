import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Browser sessions. A session ends when its API key does. */
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
    // The only lookup without a workspace, because it finds the workspace.
    await runner.query('CREATE UNIQUE INDEX sessions_token_hash ON sessions (token_hash)');
    await runner.query('CREATE INDEX sessions_expired ON sessions (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sessions');
  }
}
