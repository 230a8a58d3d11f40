import type { MigrationInterface, QueryRunner } from 'typeorm';
import { COUNTED_TABLES, type CountedTable, countFunction, RETURN_WITHOUT_ROWS } from '../count-triggers.js';

/** One in this many statements folds the deltas of its workspaces into one row per key, and no deletion. */
const FOLD_ONE_IN = 32;
const RULES = {
  remaining: '(SELECT removed.* FROM removed JOIN workspaces ON workspaces.id = removed.workspace_id)',
  touchedByDelete: '',
  chance: `random() * ${FOLD_ONE_IN} < 1`,
};
/** Maximum number of ids in one row, so that a statement over millions of rows appends lists of bounded size. */
const IDS_PER_CHANGE = 10_000;

/**
 * Triggers return at once for statements that affected no row of their kind. An upsert fires both the insert and the
 * update trigger, but mostly writes rows of only one kind.
 */
export class TriggersWithoutRows1792000060000 implements MigrationInterface {
  name = 'TriggersWithoutRows1792000060000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of COUNTED_TABLES) {
      await runner.query(countFunction(table, { ...RULES, first: RETURN_WITHOUT_ROWS }));
      await runner.query(listFunction(table, RETURN_WITHOUT_ROWS));
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of COUNTED_TABLES) {
      await runner.query(countFunction(table, { ...RULES, first: '' }));
      await runner.query(listFunction(table, ''));
    }
  }
}

function listFunction(table: CountedTable, first: string): string {
  const append = (rows: string) => `
    INSERT INTO search_changes (workspace_id, kind, row_ids, row_count)
    SELECT workspace_id, '${table}', array_agg(id::text), count(*)
    FROM (SELECT workspace_id, id, (row_number() OVER () - 1) / ${IDS_PER_CHANGE} AS part FROM ${rows}) AS numbered
    GROUP BY workspace_id, part`;
  return `
    CREATE OR REPLACE FUNCTION list_changed_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        ${first}
        ${append('added')};
      ELSIF TG_OP = 'UPDATE' THEN
        ${first}
        ${append('(SELECT workspace_id, id FROM removed UNION SELECT workspace_id, id FROM added) AS changed')};
      ELSIF TG_OP = 'DELETE' THEN
        -- What is listed for a workspace that is being deleted goes by its foreign key.
        ${append('(SELECT removed.workspace_id, removed.id FROM removed JOIN workspaces ON workspaces.id = removed.workspace_id) AS gone')};
      ELSE
        DELETE FROM search_segments WHERE kind = '${table}';
        DELETE FROM search_changes WHERE kind = '${table}';
      END IF;
      RETURN NULL;
    END $$`;
}
