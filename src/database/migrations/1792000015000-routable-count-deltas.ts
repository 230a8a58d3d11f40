import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counted tables, each with the column, besides the workspace, by which its rows are counted. */
const COUNTED = { posts: 'forum', comments: null } as const;
type Counted = keyof typeof COUNTED;

/** One in this many statements folds the deltas of its workspaces into one row per key. */
const FOLD_ONE_IN = 32;

/**
 * Lets count deltas be distributed by workspace: their ids come from a sequence instead of an identity column, and
 * folding locks rows of one workspace at a time. No rows are rewritten.
 */
export class RoutableCountDeltas1792000015000 implements MigrationInterface {
  name = 'RoutableCountDeltas1792000015000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of Object.keys(COUNTED) as Counted[]) {
      const deltas = deltaTable(table);
      const next = await nextNumber(runner, deltas);
      await runner.query(`ALTER TABLE ${deltas} ALTER COLUMN id DROP IDENTITY`);
      await runner.query(`CREATE SEQUENCE ${deltas}_id_seq START ${next} OWNED BY ${deltas}.id`);
      await runner.query(`ALTER TABLE ${deltas} ALTER COLUMN id SET DEFAULT nextval('${deltas}_id_seq')`);
      await runner.query(countFunction(table, foldOfEach));
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of Object.keys(COUNTED) as Counted[]) {
      const deltas = deltaTable(table);
      const next = await nextNumber(runner, deltas);
      await runner.query(countFunction(table, (name, key) => fold(name, key, '= ANY (touched)')));
      await runner.query(`ALTER TABLE ${deltas} ALTER COLUMN id DROP DEFAULT`);
      await runner.query(`DROP SEQUENCE ${deltas}_id_seq`);
      await runner.query(
        `ALTER TABLE ${deltas} ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (START WITH ${next})`,
      );
    }
  }
}

const deltaTable = (table: Counted): string => `${table.slice(0, -1)}_count_deltas`;

async function nextNumber(runner: QueryRunner, deltas: string): Promise<string> {
  // Inserts wait from here on, so that no id is assigned twice.
  await runner.query(`LOCK TABLE ${deltas} IN ACCESS EXCLUSIVE MODE`);
  const [row] = (await runner.query(`SELECT (last_value + 1)::text AS next FROM ${deltas}_id_seq`)) as [
    { next: string },
  ];
  return row.next;
}

function foldOfEach(deltas: string, key: string): string {
  return `FOREACH one IN ARRAY touched LOOP
        ${fold(deltas, key, '= one')}
        END LOOP;`;
}

function fold(deltas: string, key: string, ofWorkspace: string): string {
  return `WITH crowded AS (
          SELECT ${key} FROM ${deltas} WHERE workspace_id ${ofWorkspace} GROUP BY ${key} HAVING count(*) > 1
        ), chosen AS (
          -- Rows that another transaction is folding are left to it.
          SELECT workspace_id, id FROM ${deltas} JOIN crowded USING (${key})
          WHERE ${deltas}.workspace_id ${ofWorkspace} FOR UPDATE OF ${deltas} SKIP LOCKED
        ), folded AS (
          DELETE FROM ${deltas} USING chosen
          WHERE ${deltas}.workspace_id ${ofWorkspace} AND ${deltas}.workspace_id = chosen.workspace_id
            AND ${deltas}.id = chosen.id
          RETURNING ${deltas}.*
        )
        INSERT INTO ${deltas} (${key}, rows, revision)
        SELECT ${key}, sum(rows), sum(revision) FROM folded GROUP BY ${key};`;
}

/** The trigger function, which appends the number of rows a statement added and sometimes folds existing rows. */
function countFunction(table: Counted, folding: (deltas: string, key: string) => string): string {
  const deltas = deltaTable(table);
  const column = COUNTED[table];
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
        ${folding(deltas, key)}
      END IF;
      RETURN NULL;
    END $$`;
}
