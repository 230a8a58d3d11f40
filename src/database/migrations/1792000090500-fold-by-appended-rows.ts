import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counted tables, each with the column, besides the workspace, by which its rows are counted. */
const TABLES = { posts: 'forum', comments: null } as const;
type Table = keyof typeof TABLES;

/**
 * A statement folds the deltas of its workspaces with a probability that is proportional to how many it appends: it
 * always does with this many or more.
 */
const FOLD_ALWAYS = 32;

/** Rows deleted, but not with their workspace: its deltas go by their foreign key. */
const REMAINING = '(SELECT removed.* FROM removed JOIN workspaces ON workspaces.id = removed.workspace_id)';

/**
 * Deltas are folded as often as they are appended. Before, one statement in 32 folded them, however many forums it
 * wrote, and none that deleted rows: after an import of 300 forums every search added up thousands.
 */
export class FoldByAppendedRows1792000090500 implements MigrationInterface {
  name = 'FoldByAppendedRows1792000090500';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of Object.keys(TABLES) as Table[])
      await runner.query(
        countFunction(table, {
          touchedByDelete: `SELECT array_agg(DISTINCT workspace_id) INTO touched FROM ${REMAINING} AS gone;`,
          chance: `random() * ${FOLD_ALWAYS} < appended`,
        }),
      );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of Object.keys(TABLES) as Table[])
      await runner.query(countFunction(table, { touchedByDelete: '', chance: 'random() * 32 < 1' }));
  }
}

function countFunction(
  table: Table,
  { touchedByDelete, chance }: { touchedByDelete: string; chance: string },
): string {
  const deltas = `${table.slice(0, -1)}_count_deltas`;
  const column = TABLES[table];
  const key = column === null ? 'workspace_id' : `workspace_id, ${column}`;
  const append = (rows: string, source: string) =>
    `INSERT INTO ${deltas} (${key}, rows, revision) SELECT ${key}, ${rows}, 1 FROM ${source} GROUP BY ${key};
        GET DIAGNOSTICS appended = ROW_COUNT;`;
  return `
    CREATE OR REPLACE FUNCTION count_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      appended bigint;
      touched uuid[];
      one uuid;
    BEGIN
      IF TG_OP = 'INSERT' THEN
        IF NOT EXISTS (SELECT FROM added) THEN RETURN NULL; END IF;
        ${append('count(*)', 'added')}
        SELECT array_agg(DISTINCT workspace_id) INTO touched FROM added;
      ELSIF TG_OP = 'UPDATE' THEN
        IF NOT EXISTS (SELECT FROM added) THEN RETURN NULL; END IF;
        ${append(
          'sum(n)',
          `(SELECT ${key}, 1 AS n FROM added UNION ALL SELECT ${key}, -1 FROM removed) AS changed`,
        )}
        SELECT array_agg(DISTINCT workspace_id) INTO touched FROM added;
      ELSIF TG_OP = 'DELETE' THEN
        ${append('-count(*)', `${REMAINING} AS gone`)}
        ${touchedByDelete}
      ELSE
        ${append('-sum(rows)', deltas)}
      END IF;
      IF touched IS NOT NULL AND ${chance} THEN
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
