import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Expired idempotency keys are deleted by age over all workspaces, no longer whenever their workspace adds a key. */
export class PrunedIdempotencyKeys1792000001100 implements MigrationInterface {
  name = 'PrunedIdempotencyKeys1792000001100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX idempotency_keys_oldest');
    await runner.query('CREATE INDEX idempotency_keys_oldest ON idempotency_keys (created_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX idempotency_keys_oldest');
    await runner.query('CREATE INDEX idempotency_keys_oldest ON idempotency_keys (workspace_id, created_at)');
  }
}
