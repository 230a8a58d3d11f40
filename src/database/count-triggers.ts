/** Counted tables, each with the column, besides the workspace, by which its rows are counted. */
const COUNTED_BY = { posts: 'forum', comments: null } as const;
/** A table whose rows are counted. */
export type CountedTable = keyof typeof COUNTED_BY;
/** All of them. */
export const COUNTED_TABLES = Object.keys(COUNTED_BY) as CountedTable[];

/** What differs between versions of the trigger function. */
export interface CountRules {
  /** The first statement after an insert or update. */
  first: string;
  /** Subquery of the rows deleted, but not with their workspace: its deltas go by their foreign key. */
  remaining: string;
  /** Finds the workspaces, after a deletion, whose deltas may be folded. */
  touchedByDelete: string;
  /** The condition under which deltas are folded; `appended` is how many the statement appended. */
  chance: string;
}

/** Returns at once after a statement that affected no row of its kind. */
export const RETURN_WITHOUT_ROWS = 'IF NOT EXISTS (SELECT FROM added) THEN RETURN NULL; END IF;';

/**
 * The trigger function that appends how many rows a statement added, per key, and then may fold the deltas of its
 * workspaces into one row per key. Migrations call it, so its statements stay as they are: a change belongs in a new
 * migration.
 */
export function countFunction(
  table: CountedTable,
  { first, remaining, touchedByDelete, chance }: CountRules,
): string {
  const deltas = `${table.slice(0, -1)}_count_deltas`;
  const column = COUNTED_BY[table];
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
        ${first}
        ${append('count(*)', 'added')}
        SELECT array_agg(DISTINCT workspace_id) INTO touched FROM added;
      ELSIF TG_OP = 'UPDATE' THEN
        ${first}
        ${append(
          'sum(n)',
          `(SELECT ${key}, 1 AS n FROM added UNION ALL SELECT ${key}, -1 FROM removed) AS changed`,
        )}
        SELECT array_agg(DISTINCT workspace_id) INTO touched FROM added;
      ELSIF TG_OP = 'DELETE' THEN
        ${append('-count(*)', `${remaining} AS gone`)}
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
