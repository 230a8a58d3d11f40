import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stores a delivery's attempts in its own row and its lease in a column without an index. An attempt then writes one
 * row, and a claim is a heap-only (HOT) update.
 */
export class DeliveriesOneRow1790000006000 implements MigrationInterface {
  name = 'DeliveriesOneRow1790000006000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE deliveries SET (fillfactor = 50)');
    await runner.query('ALTER TABLE deliveries ADD COLUMN leased_until timestamptz');
    await runner.query(`ALTER TABLE deliveries ADD COLUMN history jsonb NOT NULL DEFAULT '[]'`);
    await runner.query(`
      UPDATE deliveries SET history = attempts.history
      FROM (
        SELECT workspace_id, delivery_id, jsonb_agg(jsonb_build_object('at', attempted_at, 'succeeded', succeeded,
          'responseCode', response_code, 'durationMs', duration_ms, 'error', error) ORDER BY attempt_no) AS history
        FROM delivery_attempts GROUP BY workspace_id, delivery_id
      ) AS attempts
      WHERE deliveries.workspace_id = attempts.workspace_id AND deliveries.id = attempts.delivery_id`);
    await runner.query('DROP TABLE delivery_attempts');
    // The transaction that relays an event serves as its lease.
    await runner.query('ALTER TABLE outbox_events DROP COLUMN leased_until');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE outbox_events ADD COLUMN leased_until timestamptz');
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
    await runner.query(`
      INSERT INTO delivery_attempts
      SELECT workspace_id, deliveries.id, attempts - jsonb_array_length(history) + position,
        (attempt ->> 'at')::timestamptz, (attempt ->> 'succeeded')::boolean, (attempt ->> 'responseCode')::integer,
        (attempt ->> 'durationMs')::integer, attempt ->> 'error'
      FROM deliveries CROSS JOIN LATERAL jsonb_array_elements(history) WITH ORDINALITY AS h (attempt, position)`);
    await runner.query('ALTER TABLE deliveries DROP COLUMN history, DROP COLUMN leased_until');
    await runner.query('ALTER TABLE deliveries RESET (fillfactor)');
  }
}
