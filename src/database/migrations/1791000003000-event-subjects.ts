import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stores the subject of an event in columns, so that routing reads no payload. Only events that are not yet relayed are
 * backfilled, because relayed ones are never routed again.
 */
export class EventSubjects1791000003000 implements MigrationInterface {
  name = 'EventSubjects1791000003000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE outbox_events
        ADD COLUMN subject_kind text CHECK (subject_kind IN ('job', 'alert', 'webhook')),
        ADD COLUMN subject_id uuid`);
    await runner.query(`
      UPDATE outbox_events SET
        subject_kind = split_part(type, '.', 1),
        subject_id = substring(data ->> 'id' from '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$')::uuid
      WHERE relayed_at IS NULL AND split_part(type, '.', 1) IN ('job', 'alert')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE outbox_events DROP COLUMN subject_kind, DROP COLUMN subject_id');
  }
}
