import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counted tables, each with the column, besides the workspace, by which its rows are counted. */
const TALLIED = { posts: 'forum', comments: null } as const;
type Tallied = keyof typeof TALLIED;

/**
 * One in this many statements folds the tallies of its workspace: rare enough to be cheap, often enough to keep rows
 * few.
 */
const FOLD_ONE_IN = 32;

/**
 * Exact totals without counting. Every statement that changes posts or comments appends the number of rows it added, in
 * its own transaction, so that the sum over the tallies equals a count in the same snapshot. Rows are appended and
 * never updated, so that two jobs of a workspace do not wait for each other. `changes` increases with every statement,
 * so an unchanged sum means that no row has changed. Triggers ensure this for every writer.
 */
export class Tallies1790000007000 implements MigrationInterface {
  name = 'Tallies1790000007000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of Object.keys(TALLIED) as Tallied[]) {
      const tallies = tallyTable(table);
      const key = keyOf(table);
      await runner.query(`
        CREATE TABLE ${tallies} (
          workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
          id bigint GENERATED ALWAYS AS IDENTITY,
          ${TALLIED[table] === null ? '' : `${TALLIED[table]} text NOT NULL,`}
          rows bigint NOT NULL,
          changes bigint NOT NULL,
          PRIMARY KEY (workspace_id, id)
        )`);
      await runner.query(tallyFunction(table));
      await runner.query(`CREATE TRIGGER tally_inserted AFTER INSERT ON ${table}
        REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tally_${table}()`);
      await runner.query(`CREATE TRIGGER tally_updated AFTER UPDATE ON ${table}
        REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION tally_${table}()`);
      await runner.query(`CREATE TRIGGER tally_deleted AFTER DELETE ON ${table}
        REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION tally_${table}()`);
      await runner.query(`CREATE TRIGGER tally_truncated AFTER TRUNCATE ON ${table}
        FOR EACH STATEMENT EXECUTE FUNCTION tally_${table}()`);
      // The triggers block writers until this transaction ends, so no change is missed.
      await runner.query(`INSERT INTO ${tallies} (${key}, rows, changes)
        SELECT ${key}, count(*), 1 FROM ${table} GROUP BY ${key}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of Object.keys(TALLIED) as Tallied[]) {
      for (const event of ['inserted', 'updated', 'deleted', 'truncated'])
        await runner.query(`DROP TRIGGER tally_${event} ON ${table}`);
      await runner.query(`DROP FUNCTION tally_${table}()`);
      await runner.query(`DROP TABLE ${tallyTable(table)}`);
    }
  }
}

const tallyTable = (table: Tallied): string => `${table.slice(0, -1)}_tallies`;

const keyOf = (table: Tallied): string =>
  TALLIED[table] === null ? 'workspace_id' : `workspace_id, ${TALLIED[table]}`;

function tallyFunction(table: Tallied): string {
  const tallies = tallyTable(table);
  const key = keyOf(table);
  const append = (rows: string, source: string) =>
    `INSERT INTO ${tallies} (${key}, rows, changes) SELECT ${key}, ${rows}, 1 FROM ${source} GROUP BY ${key}`;
  return `
    CREATE FUNCTION tally_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
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
        -- A workspace that is deleted takes its tallies with it.
        ${append(
          '-count(*)',
          '(SELECT removed.* FROM removed JOIN workspaces ON workspaces.id = removed.workspace_id) AS gone',
        )};
      ELSE
        ${append('-sum(rows)', tallies)};
      END IF;
      IF touched IS NOT NULL AND random() * ${FOLD_ONE_IN} < 1 THEN
        WITH crowded AS (
          SELECT ${key} FROM ${tallies} WHERE workspace_id = ANY (touched) GROUP BY ${key} HAVING count(*) > 1
        ), chosen AS (
          -- Whoever folds the same rows at this moment keeps them.
          SELECT workspace_id, id FROM ${tallies} JOIN crowded USING (${key}) FOR UPDATE OF ${tallies} SKIP LOCKED
        ), folded AS (
          DELETE FROM ${tallies} USING chosen
          WHERE ${tallies}.workspace_id = chosen.workspace_id AND ${tallies}.id = chosen.id
          RETURNING ${tallies}.*
        )
        INSERT INTO ${tallies} (${key}, rows, changes)
        SELECT ${key}, sum(rows), sum(changes) FROM folded GROUP BY ${key};
      END IF;
      RETURN NULL;
    END $$`;
}
