import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counted tables, each with the column, besides the workspace, by which its rows are counted. */
const TABLES = { posts: 'forum', comments: null } as const;
type Table = keyof typeof TABLES;

/** One in this many statements folds the deltas of its workspaces into one row per key. */
const FOLD_ONE_IN = 32;
/** Maximum number of ids in one row, so that a statement over millions of rows appends lists of bounded size. */
const IDS_PER_CHANGE = 10_000;

/**
 * Triggers return at once for statements that affected no row of their kind. An upsert fires both the insert and the
 * update trigger, but mostly writes rows of only one kind.
 */
export class TriggersWithoutRows1792000060000 implements MigrationInterface {
  name = 'TriggersWithoutRows1792000060000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of Object.keys(TABLES) as Table[]) {
      await runner.query(countFunction(table, RETURN_WITHOUT_ROWS));
      await runner.query(listFunction(table, RETURN_WITHOUT_ROWS));
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of Object.keys(TABLES) as Table[]) {
      await runner.query(countFunction(table, ''));
      await runner.query(listFunction(table, ''));
    }
  }
}

const RETURN_WITHOUT_ROWS = 'IF NOT EXISTS (SELECT FROM added) THEN RETURN NULL; END IF;';

function countFunction(table: Table, first: string): string {
  const deltas = `${table.slice(0, -1)}_count_deltas`;
  const column = TABLES[table];
  const key = column === null ? 'workspace_id' : `workspace_id, ${column}`;
  const append = (rows: string, source: string) =>
    `INSERT INTO ${deltas} (${key}, rows, revision) SELECT ${key}, ${rows}, 1 FROM ${source} GROUP BY ${key}`;
  return `
    CREATE OR REPLACE FUNCTION count_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      touched uuid[];
      one uuid;
    BEGIN
      IF TG_OP = 'INSERT' THEN
        ${first}
        ${append('count(*)', 'added')};
        SELECT array_agg(DISTINCT workspace_id) INTO touched FROM added;
      ELSIF TG_OP = 'UPDATE' THEN
        ${first}
        ${append(
          'sum(n)',
          `(SELECT ${key}, 1 AS n FROM added UNION ALL SELECT ${key}, -1 FROM removed) AS changed`,
        )};
        SELECT array_agg(DISTINCT workspace_id) INTO touched FROM added;
      ELSIF TG_OP = 'DELETE' THEN
        -- The deltas of a workspace that is being deleted go by their foreign key.
        ${append(
          '-count(*)',
          '(SELECT removed.* FROM removed JOIN workspaces ON workspaces.id = removed.workspace_id) AS gone',
        )};
      ELSE
        ${append('-sum(rows)', deltas)};
      END IF;
      IF touched IS NOT NULL AND random() * ${FOLD_ONE_IN} < 1 THEN
        FOREACH one IN ARRAY touched LOOP
          WITH crowded AS (
            SELECT ${key} FROM ${deltas} WHERE workspace_id = one GROUP BY ${key} HAVING count(*) > 1
          ), chosen AS (
            -- Rows that another transaction is folding are left to it.
            SELECT workspace_id, id FROM ${deltas} JOIN crowded USING (${key})
            WHERE ${deltas}.workspace_id = one FOR UPDATE OF ${deltas} SKIP LOCKED
          ), folded AS (
            DELETE FROM ${deltas} USING chosen
            WHERE ${deltas}.workspace_id = one AND ${deltas}.workspace_id = chosen.workspace_id
              AND ${deltas}.id = chosen.id
            RETURNING ${deltas}.*
          )
          INSERT INTO ${deltas} (${key}, rows, revision)
          SELECT ${key}, sum(rows), sum(revision) FROM folded GROUP BY ${key};
        END LOOP;
      END IF;
      RETURN NULL;
    END $$`;
}

function listFunction(table: Table, first: string): string {
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
