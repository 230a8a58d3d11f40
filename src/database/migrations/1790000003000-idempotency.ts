import type { MigrationInterface, QueryRunner } from 'typeorm';

/** First responses of idempotent requests. */
export class Idempotency1790000003000 implements MigrationInterface {
  name = 'Idempotency1790000003000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE idempotency_keys (
        workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
        api_key_id uuid NOT NULL,
        key text NOT NULL,
        fingerprint bytea NOT NULL,
        status integer,
        sealed_body text,
        lease_until timestamptz NOT NULL,
        created_at timestamptz NOT NULL,
        PRIMARY KEY (workspace_id, api_key_id, key)
      )`);
    await runner.query('CREATE INDEX idempotency_keys_oldest ON idempotency_keys (workspace_id, created_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE idempotency_keys');
  }
}
