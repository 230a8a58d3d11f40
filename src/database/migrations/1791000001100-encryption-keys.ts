import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Ids of the keys that encrypt secrets, so that a process with another key can refuse to start. */
export class EncryptionKeys1791000001100 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE encryption_keys (
        key_id text PRIMARY KEY,
        first_used_at timestamptz NOT NULL DEFAULT now()
      )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP TABLE encryption_keys`);
  }
}
