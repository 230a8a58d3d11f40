import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Relays events in bounded transactions that alternate between workspaces. An event records its fan-out progress, its
 * number of failures, and whether it was set aside. Idle destination queues record since when they are idle, so that
 * they can be pruned.
 */
export class BoundedRelay1791000003200 implements MigrationInterface {
  name = 'BoundedRelay1791000003200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE outbox_events
        ADD COLUMN fan_out_after uuid,
        ADD COLUMN relay_failures integer NOT NULL DEFAULT 0,
        ADD COLUMN relay_not_before timestamptz,
        ADD COLUMN set_aside_at timestamptz`);
    await runner.query('DROP INDEX outbox_events_waiting');
    await runner.query(`
      CREATE INDEX outbox_events_waiting ON outbox_events (workspace_id, created_at)
        WHERE relayed_at IS NULL AND set_aside_at IS NULL`);
    await runner.query(`
      CREATE INDEX outbox_events_set_aside ON outbox_events (set_aside_at) WHERE set_aside_at IS NOT NULL`);
    await runner.query('ALTER TABLE destination_queues ADD COLUMN idle_since timestamptz');
    await runner.query('UPDATE destination_queues SET idle_since = now() WHERE due_at IS NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE destination_queues DROP COLUMN idle_since');
    await runner.query('DROP INDEX outbox_events_set_aside, outbox_events_waiting');
    await runner.query(`
      ALTER TABLE outbox_events DROP COLUMN fan_out_after, DROP COLUMN relay_failures,
        DROP COLUMN relay_not_before, DROP COLUMN set_aside_at`);
    await runner.query(
      'CREATE INDEX outbox_events_waiting ON outbox_events (created_at) WHERE relayed_at IS NULL',
    );
  }
}
