import {
  type IndexedTable,
  REMAINING,
  RETURN_WITHOUT_ROWS,
  statementTriggers,
} from './statement-triggers.js';

/**
 * A statement folds the deltas of its workspaces with a probability that is proportional to how many it appends: it
 * always does with this many or more.
 */
const FOLD_ALWAYS = 32;

/** The column, besides the workspace, by which a table's rows are counted. */
const COUNTED_BY = { posts: 'forum', comments: null } as const;

/**
 * Exact totals without counting. Every statement that changes posts or comments appends the number of rows it added, in
 * its own transaction, so that the sum over the deltas equals a count in the same snapshot. Rows are appended and
 * sometimes folded, never updated, so that two jobs of a workspace do not wait for each other. `revision` increases
 * with every statement, so an unchanged sum means that no row has changed.
 */
export const COUNTS = `
  CREATE TABLE post_count_deltas (
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id bigserial,
    forum text NOT NULL,
    rows bigint NOT NULL,
    revision bigint NOT NULL,
    PRIMARY KEY (workspace_id, id)
  );
  CREATE TABLE comment_count_deltas (
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id bigserial,
    rows bigint NOT NULL,
    revision bigint NOT NULL,
    PRIMARY KEY (workspace_id, id)
  );
  ${countFunction('posts')}
  ${statementTriggers('count', 'posts', 'count_posts')}
  ${countFunction('comments')}
  ${statementTriggers('count', 'comments', 'count_comments')}`;

/** The trigger function appends deltas per key, and may then fold those of its workspaces into one row per key. */
export function countFunction(table: IndexedTable): string {
  const deltas = `${table.slice(0, -1)}_count_deltas`;
  const column = COUNTED_BY[table];
  const key = column === null ? 'workspace_id' : `workspace_id, ${column}`;
  const append = (rows: string, source: string) =>
    `INSERT INTO ${deltas} (${key}, rows, revision) SELECT ${key}, ${rows}, 1 FROM ${source} GROUP BY ${key};
        GET DIAGNOSTICS appended = ROW_COUNT;`;
  return `
    CREATE FUNCTION count_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      appended bigint;
      touched uuid[];
      one uuid;
    BEGIN
      IF TG_OP = 'INSERT' THEN
        ${RETURN_WITHOUT_ROWS}
        ${append('count(*)', 'added')}
        SELECT array_agg(DISTINCT workspace_id) INTO touched FROM added;
      ELSIF TG_OP = 'UPDATE' THEN
        ${RETURN_WITHOUT_ROWS}
        ${append(
          'sum(n)',
          `(SELECT ${key}, 1 AS n FROM added UNION ALL SELECT ${key}, -1 FROM removed) AS changed`,
        )}
        SELECT array_agg(DISTINCT workspace_id) INTO touched FROM added;
      ELSIF TG_OP = 'DELETE' THEN
        ${append('-count(*)', `${REMAINING} AS gone`)}
        SELECT array_agg(DISTINCT workspace_id) INTO touched FROM ${REMAINING} AS gone;
      ELSE
        ${append('-sum(rows)', deltas)}
      END IF;
      IF touched IS NOT NULL AND random() * ${FOLD_ALWAYS} < appended THEN
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
    END $$;`;
}
