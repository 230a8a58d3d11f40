import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { RunSql } from '../run-sql.js';
import { secureRows } from '../secured-rows.js';

const CHANGES = `
  ALTER TABLE alerts ADD COLUMN IF NOT EXISTS listen text[] NOT NULL DEFAULT '{}';
  ALTER TABLE saved_searches ADD COLUMN IF NOT EXISTS listen text[] NOT NULL DEFAULT '{}';
  ALTER TABLE stream_cursors ADD COLUMN IF NOT EXISTS read bigint NOT NULL DEFAULT 0,
    ADD COLUMN IF NOT EXISTS newest_at timestamptz,
    ADD COLUMN IF NOT EXISTS refusal text;

  CREATE TABLE IF NOT EXISTS stream_gaps (
    source text NOT NULL,
    from_at timestamptz NOT NULL,
    to_at timestamptz NOT NULL,
    reason text NOT NULL,
    PRIMARY KEY (source, from_at)
  );

  CREATE TABLE IF NOT EXISTS heard_texts (
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    source text NOT NULL,
    id text NOT NULL,
    is_comment boolean NOT NULL,
    state text NOT NULL DEFAULT 'waiting',
    attempts integer NOT NULL DEFAULT 0,
    claimed_until timestamptz,
    seen_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (workspace_id, id)
  );
  CREATE INDEX IF NOT EXISTS heard_texts_waiting ON heard_texts (source, seen_at) WHERE state = 'waiting';
  CREATE INDEX IF NOT EXISTS heard_texts_seen_at ON heard_texts (seen_at);

  CREATE TABLE IF NOT EXISTS listeners (
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id uuid NOT NULL,
    source text NOT NULL,
    since timestamptz NOT NULL DEFAULT now(),
    read_before bigint NOT NULL,
    matched bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (workspace_id, id, source)
  );

  CREATE TABLE IF NOT EXISTS listened_days (
    workspace_id uuid PRIMARY KEY REFERENCES workspaces (id) ON DELETE CASCADE,
    day date NOT NULL,
    stored integer NOT NULL,
    unstored integer NOT NULL DEFAULT 0
  );`;

/** Alerts and saved searches for which the service reads sources by itself, and what it found for them. */
export class Listening1800000205000 implements MigrationInterface {
  name = 'Listening1800000205000';
  /** Tables are secured one at a time. */
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    const run: RunSql = <Row>(sql: string) => runner.manager.query<Row[]>(sql);
    await run(CHANGES);
    await secureRows(run);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE listened_days, listeners, heard_texts, stream_gaps');
    await runner.query(
      'ALTER TABLE stream_cursors DROP COLUMN read, DROP COLUMN newest_at, DROP COLUMN refusal',
    );
    await runner.query('ALTER TABLE saved_searches DROP COLUMN listen');
    await runner.query('ALTER TABLE alerts DROP COLUMN listen');
  }
}
