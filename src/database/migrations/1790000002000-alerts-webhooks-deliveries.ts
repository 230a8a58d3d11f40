import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Alerts and their matches, webhooks, deliveries of events with their attempts, and destination queues (here `lanes`).
 */
export class AlertsWebhooksDeliveries1790000002000 implements MigrationInterface {
  name = 'AlertsWebhooksDeliveries1790000002000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE alerts (
        workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
        id uuid NOT NULL,
        name text NOT NULL,
        keywords text[] NOT NULL,
        forums text[] NOT NULL,
        channel text NOT NULL CHECK (channel IN ('email', 'chat_a', 'chat_b', 'webhook')),
        sealed_channel_config text NOT NULL,
        is_active boolean NOT NULL DEFAULT true,
        last_triggered_at timestamptz,
        trigger_count integer NOT NULL DEFAULT 0,
        channel_failing_since timestamptz,
        channel_disabled_reason text,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (workspace_id, id)
      )`);

    // Increases with every change of a workspace's alerts, so that a compiled matcher can detect that it is outdated.
    await runner.query(`
      CREATE TABLE alert_versions (
        workspace_id uuid PRIMARY KEY REFERENCES workspaces (id) ON DELETE CASCADE,
        version bigint NOT NULL
      )`);

    await runner.query(`
      CREATE TABLE alert_matches (
        workspace_id uuid NOT NULL,
        alert_id uuid NOT NULL,
        post_id text NOT NULL,
        job_id uuid NOT NULL,
        keywords text[] NOT NULL,
        matched_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (workspace_id, alert_id, post_id),
        FOREIGN KEY (workspace_id, alert_id) REFERENCES alerts (workspace_id, id) ON DELETE CASCADE
      )`);
    await runner.query(
      'CREATE INDEX alert_matches_newest ON alert_matches (workspace_id, alert_id, matched_at, post_id)',
    );

    await runner.query(`
      CREATE TABLE webhooks (
        workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
        id uuid NOT NULL,
        url text NOT NULL,
        events text[] NOT NULL,
        sealed_secret text,
        sealed_previous_secret text,
        previous_secret_until timestamptz,
        is_active boolean NOT NULL DEFAULT true,
        disabled_reason text,
        last_triggered_at timestamptz,
        failure_count integer NOT NULL DEFAULT 0,
        failing_since timestamptz,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        PRIMARY KEY (workspace_id, id)
      )`);

    // While a sender has leased a delivery, next_attempt_at is the end of the lease, so an expired lease makes it due
    // again.
    await runner.query(`
      CREATE TABLE deliveries (
        workspace_id uuid NOT NULL,
        id uuid NOT NULL,
        event_id uuid NOT NULL,
        event_type text NOT NULL,
        destination_kind text NOT NULL CHECK (destination_kind IN ('webhook', 'alert')),
        destination_id uuid NOT NULL,
        status text NOT NULL DEFAULT 'pending'
          CHECK (status IN ('pending', 'delivered', 'failed', 'undeliverable')),
        attempts integer NOT NULL DEFAULT 0,
        schedule_position integer NOT NULL DEFAULT 0,
        next_attempt_at timestamptz,
        lease_owner uuid,
        response_code integer,
        duration_ms integer,
        error text,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        completed_at timestamptz,
        PRIMARY KEY (workspace_id, id),
        UNIQUE (workspace_id, event_id, destination_kind, destination_id),
        FOREIGN KEY (workspace_id, event_id) REFERENCES outbox_events (workspace_id, id) ON DELETE CASCADE,
        CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL))
      )`);
    await runner.query(`
      CREATE INDEX deliveries_newest
        ON deliveries (workspace_id, destination_kind, destination_id, created_at, id)`);
    await runner.query(`
      CREATE INDEX deliveries_due
        ON deliveries (workspace_id, destination_kind, destination_id, next_attempt_at) WHERE status = 'pending'`);

    await runner.query(`
      CREATE TABLE delivery_attempts (
        workspace_id uuid NOT NULL,
        delivery_id uuid NOT NULL,
        attempt_no integer NOT NULL,
        attempted_at timestamptz NOT NULL,
        succeeded boolean NOT NULL,
        response_code integer,
        duration_ms integer NOT NULL,
        error text,
        PRIMARY KEY (workspace_id, delivery_id, attempt_no),
        FOREIGN KEY (workspace_id, delivery_id) REFERENCES deliveries (workspace_id, id) ON DELETE CASCADE
      )`);

    // One row per destination. The poller reads these rows instead of the backlog, so the backlog of an unreachable
    // destination costs one row.
    await runner.query(`
      CREATE TABLE delivery_lanes (
        workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
        destination_kind text NOT NULL,
        destination_id uuid NOT NULL,
        due_at timestamptz,
        failures integer NOT NULL DEFAULT 0,
        PRIMARY KEY (workspace_id, destination_kind, destination_id)
      )`);
    await runner.query('CREATE INDEX delivery_lanes_due ON delivery_lanes (due_at) WHERE due_at IS NOT NULL');

    await runner.query(
      'CREATE INDEX outbox_events_relayed ON outbox_events (relayed_at) WHERE relayed_at IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX outbox_events_relayed');
    for (const table of [
      'delivery_lanes',
      'delivery_attempts',
      'deliveries',
      'webhooks',
      'alert_matches',
      'alert_versions',
      'alerts',
    ])
      await runner.query(`DROP TABLE ${table}`);
  }
}
