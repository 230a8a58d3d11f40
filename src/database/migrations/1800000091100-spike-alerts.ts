import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Alerts may be triggered by spikes in the series of their matches instead of by single matches. */
export class SpikeAlerts1800000091100 implements MigrationInterface {
  /** The index is built beside writes. */
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE alerts ADD COLUMN IF NOT EXISTS spike jsonb,
      ADD COLUMN IF NOT EXISTS spike_due_at timestamptz,
      ADD COLUMN IF NOT EXISTS spike_read_until timestamptz`);
    await runner.query('DROP INDEX IF EXISTS alerts_spike_due');
    await runner.query(
      'CREATE INDEX CONCURRENTLY alerts_spike_due ON alerts (spike_due_at) WHERE spike_due_at IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE alerts DROP COLUMN spike, DROP COLUMN spike_due_at, DROP COLUMN spike_read_until',
    );
  }
}
