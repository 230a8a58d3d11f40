import type { MigrationInterface, QueryRunner } from 'typeorm';

const ROWS = 10_000;

/** Matches have ids of their own, a state, labels and a note. */
export class Triage1800000081000 implements MigrationInterface {
  /** Indexes are built beside writes, and ids are added in several statements. */
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE alert_matches ADD COLUMN IF NOT EXISTS id uuid,
      ADD COLUMN IF NOT EXISTS state text NOT NULL DEFAULT 'new',
      ADD COLUMN IF NOT EXISTS labels text[] NOT NULL DEFAULT '{}',
      ADD COLUMN IF NOT EXISTS note text NOT NULL DEFAULT ''`);
    // Set separately, because a new column with a default that varies would rewrite the table.
    await runner.query('ALTER TABLE alert_matches ALTER COLUMN id SET DEFAULT gen_random_uuid()');
    let changed = ROWS;
    while (changed > 0)
      [, changed] = (await runner.query(
        `UPDATE alert_matches SET id = md5(alert_id::text || ' ' || post_id)::uuid
         WHERE (workspace_id, alert_id, post_id) IN (
           SELECT workspace_id, alert_id, post_id FROM alert_matches WHERE id IS NULL LIMIT ${ROWS})`,
      )) as [unknown[], number];
    for (const [name, columns] of INDEXES) {
      await runner.query(`DROP INDEX IF EXISTS ${name}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON alert_matches (${columns})`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE alert_matches
      DROP COLUMN id, DROP COLUMN state, DROP COLUMN labels, DROP COLUMN note`);
    await runner.query('DROP INDEX IF EXISTS alert_matches_inbox');
  }
}

const INDEXES = [
  ['alert_matches_id', 'workspace_id, id'],
  ['alert_matches_inbox', 'workspace_id, matched_at, id'],
] as const;
