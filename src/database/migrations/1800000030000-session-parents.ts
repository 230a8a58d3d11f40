import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Sessions can be listed and ended, sign-in links pass on the end of the session that made them, and sessions of
 * operators are stored. Browsers sign in again, since former rows do not tell sessions from links.
 */
export class SessionParents1800000030000 implements MigrationInterface {
  name = 'SessionParents1800000030000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM sessions;
      ALTER TABLE sessions
        ADD COLUMN id uuid NOT NULL,
        ADD COLUMN kind text NOT NULL DEFAULT 'session',
        ADD COLUMN parent_id uuid,
        ADD COLUMN session_ends_at timestamptz,
        ADD COLUMN address text,
        ADD COLUMN user_agent text,
        ADD COLUMN created_at timestamptz NOT NULL DEFAULT now(),
        ADD COLUMN last_used_at timestamptz NOT NULL DEFAULT now();
      CREATE INDEX sessions_of_key ON sessions (workspace_id, api_key_id, kind, created_at);
      CREATE TABLE admin_sessions (
        token_hash bytea PRIMARY KEY,
        admin_token_hash bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        last_used_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE admin_sessions;
      DELETE FROM sessions;
      DROP INDEX sessions_of_key;
      ALTER TABLE sessions DROP COLUMN id, DROP COLUMN kind, DROP COLUMN parent_id, DROP COLUMN session_ends_at,
        DROP COLUMN address, DROP COLUMN user_agent, DROP COLUMN created_at, DROP COLUMN last_used_at`);
  }
}
