import type { MigrationInterface, QueryRunner } from 'typeorm';
import { type RunSql, whenUnlocked } from '../run-sql.js';
import { secureRows } from '../secured-rows.js';

const TABLE = `CREATE TABLE IF NOT EXISTS idempotency_usage (
  workspace_id uuid PRIMARY KEY REFERENCES workspaces (id) ON DELETE CASCADE,
  keys integer NOT NULL,
  bytes bigint NOT NULL
)`;

/** A response arrives by an update of one row, and responses of many workspaces are deleted by one statement. */
const FUNCTIONS = `
  CREATE OR REPLACE FUNCTION count_idempotency_response() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO idempotency_usage AS counted (workspace_id, keys, bytes)
    VALUES (
      NEW.workspace_id,
      (NEW.status IS NOT NULL)::integer - (OLD.status IS NOT NULL)::integer,
      coalesce(octet_length(NEW.sealed_body), 0) - coalesce(octet_length(OLD.sealed_body), 0)
    )
    ON CONFLICT (workspace_id) DO UPDATE
      SET keys = counted.keys + excluded.keys, bytes = counted.bytes + excluded.bytes;
    RETURN NULL;
  END $$;
  CREATE OR REPLACE FUNCTION discount_idempotency_responses() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE found record;
  BEGIN
    -- In one order, so that two statements never wait for each other.
    FOR found IN
      SELECT workspace_id, count(*) AS keys, coalesce(sum(octet_length(sealed_body)), 0) AS bytes
      FROM removed WHERE status IS NOT NULL GROUP BY workspace_id ORDER BY workspace_id
    LOOP
      UPDATE idempotency_usage SET keys = keys - found.keys, bytes = bytes - found.bytes
      WHERE workspace_id = found.workspace_id;
    END LOOP;
    RETURN NULL;
  END $$;`;

/** The new triggers block writers until the statements are committed, so that nothing is counted twice or not at all. */
const countAll = (lockTimeoutMs: number): string => `
  SET LOCAL lock_timeout = ${lockTimeoutMs};
  DROP TRIGGER IF EXISTS count_updated ON idempotency_keys;
  DROP TRIGGER IF EXISTS count_deleted ON idempotency_keys;
  CREATE TRIGGER count_updated AFTER UPDATE ON idempotency_keys
    FOR EACH ROW WHEN (NEW.status IS NOT NULL OR OLD.status IS NOT NULL) EXECUTE FUNCTION count_idempotency_response();
  CREATE TRIGGER count_deleted AFTER DELETE ON idempotency_keys REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION discount_idempotency_responses();
  DELETE FROM idempotency_usage;
  INSERT INTO idempotency_usage (workspace_id, keys, bytes)
    SELECT workspace_id, count(*), coalesce(sum(octet_length(sealed_body)), 0)
    FROM idempotency_keys WHERE status IS NOT NULL GROUP BY workspace_id`;

/** Counts the responses stored for idempotency keys, for the quotas of each workspace. */
export class IdempotencyUsage1800000203000 implements MigrationInterface {
  name = 'IdempotencyUsage1800000203000';
  /** The index is built while rows are written. */
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    const run: RunSql = <Row>(sql: string) => runner.manager.query<Row[]>(sql);
    await run(TABLE);
    await run(FUNCTIONS);
    await whenUnlocked((lockTimeoutMs) => run(countAll(lockTimeoutMs)));
    await run('DROP INDEX CONCURRENTLY IF EXISTS idempotency_keys_oldest_of_workspace');
    await run(
      'CREATE INDEX CONCURRENTLY idempotency_keys_oldest_of_workspace ON idempotency_keys (workspace_id, created_at)',
    );
    await secureRows(run);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER count_updated ON idempotency_keys');
    await runner.query('DROP TRIGGER count_deleted ON idempotency_keys');
    await runner.query('DROP FUNCTION count_idempotency_response, discount_idempotency_responses');
    await runner.query('DROP INDEX idempotency_keys_oldest_of_workspace');
    await runner.query('DROP TABLE idempotency_usage');
  }
}
