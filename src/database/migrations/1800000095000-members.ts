import type { MigrationInterface, QueryRunner } from 'typeorm';

/** People who sign in with accounts of an identity provider. */
export class Members1800000095000 implements MigrationInterface {
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE api_keys ADD COLUMN IF NOT EXISTS email text, ADD COLUMN IF NOT EXISTS subject text`,
    );
    await runner.query(
      `CREATE UNIQUE INDEX IF NOT EXISTS api_keys_member ON api_keys (workspace_id, email) WHERE email IS NOT NULL`,
    );
    await runner.query(
      `CREATE INDEX IF NOT EXISTS api_keys_of_email ON api_keys (email) WHERE email IS NOT NULL`,
    );
    await runner.query(
      `CREATE INDEX IF NOT EXISTS api_keys_of_subject ON api_keys (subject) WHERE subject IS NOT NULL`,
    );
    await runner.query(`ALTER TABLE admin_sessions ADD COLUMN IF NOT EXISTS operator text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE admin_sessions DROP COLUMN operator`);
    await runner.query(`DELETE FROM api_keys WHERE email IS NOT NULL`);
    await runner.query(`ALTER TABLE api_keys DROP COLUMN subject, DROP COLUMN email`);
  }
}
