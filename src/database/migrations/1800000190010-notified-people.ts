import type { MigrationInterface, QueryRunner } from 'typeorm';
import { secureRows } from '../secured-rows.js';

/** Members are notified of alerts at addresses of their own, each by deliveries of their own. */
export class NotifiedPeople1800000190010 implements MigrationInterface {
  /** Policies are added, and rows checked, outside of a transaction. */
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE IF NOT EXISTS notification_addresses (
        workspace_id uuid NOT NULL,
        member_id uuid NOT NULL,
        sealed_address text NOT NULL,
        PRIMARY KEY (workspace_id, member_id),
        FOREIGN KEY (workspace_id, member_id) REFERENCES api_keys (workspace_id, id) ON DELETE CASCADE
      );
      CREATE TABLE IF NOT EXISTS alert_subscriptions (
        workspace_id uuid NOT NULL,
        alert_id uuid NOT NULL,
        member_id uuid NOT NULL,
        PRIMARY KEY (workspace_id, alert_id, member_id),
        FOREIGN KEY (workspace_id, alert_id) REFERENCES alerts (workspace_id, id) ON DELETE CASCADE,
        FOREIGN KEY (workspace_id, member_id) REFERENCES api_keys (workspace_id, id) ON DELETE CASCADE
      );
      CREATE INDEX IF NOT EXISTS alert_subscriptions_of_member ON alert_subscriptions (workspace_id, member_id)`);
    await secureRows((sql) => runner.manager.query(sql));
    await allowKinds(runner, "'webhook', 'alert', 'member'");
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['deliveries', 'destination_queues'])
      await runner.query(`DELETE FROM ${table} WHERE destination_kind = 'member'`);
    await allowKinds(runner, "'webhook', 'alert'");
    await runner.query('DROP TABLE alert_subscriptions, notification_addresses');
  }
}

/** Replaces the check of a delivery's kind; rows are checked while others write. */
async function allowKinds(runner: QueryRunner, kinds: string): Promise<void> {
  await runner.query(`ALTER TABLE deliveries DROP CONSTRAINT IF EXISTS deliveries_destination_kind_check,
    ADD CONSTRAINT deliveries_destination_kind_check CHECK (destination_kind IN (${kinds})) NOT VALID`);
  await runner.query('ALTER TABLE deliveries VALIDATE CONSTRAINT deliveries_destination_kind_check');
}
