import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counted tables, each with the column, besides the workspace, by which its rows are counted. */
const COUNTED = { posts: 'forum', comments: null } as const;
type Counted = keyof typeof COUNTED;

const EVENTS = ['inserted', 'updated', 'deleted', 'truncated'] as const;

/** One in this many statements folds the deltas of its workspaces into one row per key. */
const FOLD_ONE_IN = 32;

/** Renames tallies to count deltas and `changes` to `revision`; no rows are rewritten. */
export class CountDeltas1791000006000 implements MigrationInterface {
  name = 'CountDeltas1791000006000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of Object.keys(COUNTED) as Counted[]) {
      const [tallies, deltas] = [tallyTable(table), deltaTable(table)];
      await runner.query(`ALTER TABLE ${tallies} RENAME TO ${deltas}`);
      await runner.query(`ALTER TABLE ${deltas} RENAME COLUMN changes TO revision`);
      await runner.query(`ALTER TABLE ${deltas} RENAME CONSTRAINT ${tallies}_pkey TO ${deltas}_pkey`);
      await runner.query(
        `ALTER TABLE ${deltas} RENAME CONSTRAINT ${tallies}_workspace_id_fkey TO ${deltas}_workspace_id_fkey`,
      );
      await runner.query(`ALTER SEQUENCE ${tallies}_id_seq RENAME TO ${deltas}_id_seq`);
      for (const event of EVENTS)
        await runner.query(`ALTER TRIGGER tally_${event} ON ${table} RENAME TO count_${event}`);
      await runner.query(`ALTER FUNCTION tally_${table}() RENAME TO count_${table}`);
      await runner.query(countFunction(`count_${table}`, deltas, 'revision', COUNTED[table]));
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of Object.keys(COUNTED) as Counted[]) {
      const [tallies, deltas] = [tallyTable(table), deltaTable(table)];
      await runner.query(`ALTER FUNCTION count_${table}() RENAME TO tally_${table}`);
      await runner.query(countFunction(`tally_${table}`, tallies, 'changes', COUNTED[table]));
      for (const event of EVENTS)
        await runner.query(`ALTER TRIGGER count_${event} ON ${table} RENAME TO tally_${event}`);
      await runner.query(`ALTER SEQUENCE ${deltas}_id_seq RENAME TO ${tallies}_id_seq`);
      await runner.query(
        `ALTER TABLE ${deltas} RENAME CONSTRAINT ${deltas}_workspace_id_fkey TO ${tallies}_workspace_id_fkey`,
      );
      await runner.query(`ALTER TABLE ${deltas} RENAME CONSTRAINT ${deltas}_pkey TO ${tallies}_pkey`);
      await runner.query(`ALTER TABLE ${deltas} RENAME COLUMN revision TO changes`);
      await runner.query(`ALTER TABLE ${deltas} RENAME TO ${tallies}`);
    }
  }
}

const tallyTable = (table: Counted): string => `${table.slice(0, -1)}_tallies`;
const deltaTable = (table: Counted): string => `${table.slice(0, -1)}_count_deltas`;

/**
 * Appends the number of rows a statement added to `deltas`, in the statement's transaction, so that the sum over the
 * deltas equals a count in the same snapshot. `revision` increases with every statement. Rows are appended and
 * sometimes folded, but never updated, so that two jobs of a workspace do not wait for each other.
 */
function countFunction(name: string, deltas: string, revision: string, column: string | null): string {
  const key = column === null ? 'workspace_id' : `workspace_id, ${column}`;
  const append = (rows: string, source: string) =>
    `INSERT INTO ${deltas} (${key}, rows, ${revision}) SELECT ${key}, ${rows}, 1 FROM ${source} GROUP BY ${key}`;
  return `
    CREATE OR REPLACE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      touched uuid[];
    BEGIN
      IF TG_OP = 'INSERT' THEN
        ${append('count(*)', 'added')};
        SELECT array_agg(DISTINCT workspace_id) INTO touched FROM added;
      ELSIF TG_OP = 'UPDATE' THEN
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
        WITH crowded AS (
          SELECT ${key} FROM ${deltas} WHERE workspace_id = ANY (touched) GROUP BY ${key} HAVING count(*) > 1
        ), chosen AS (
          -- Rows that another transaction is folding are left to it.
          SELECT workspace_id, id FROM ${deltas} JOIN crowded USING (${key}) FOR UPDATE OF ${deltas} SKIP LOCKED
        ), folded AS (
          DELETE FROM ${deltas} USING chosen
          WHERE ${deltas}.workspace_id = chosen.workspace_id AND ${deltas}.id = chosen.id
          RETURNING ${deltas}.*
        )
        INSERT INTO ${deltas} (${key}, rows, ${revision})
        SELECT ${key}, sum(rows), sum(${revision}) FROM folded GROUP BY ${key};
      END IF;
      RETURN NULL;
    END $$`;
}
