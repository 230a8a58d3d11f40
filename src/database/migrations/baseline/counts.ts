import { type IndexedTable, statementTriggers, unlessCascaded } from './statement-triggers.js';

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

/** Appends deltas per key, and may then fold those of its workspaces into one row per key. */
function countFunction(table: IndexedTable): string {
  const deltas = `${table.slice(0, -1)}_count_deltas`;
  const column = COUNTED_BY[table];
  const key = column === null ? 'workspace_id' : `workspace_id, ${column}`;
  const values = column === null ? 'found.workspace_id' : `found.workspace_id, found.${column}`;
  const append = (rows: string, source: string): string => `
        FOR found IN SELECT ${key}, ${rows} AS rows FROM ${source} GROUP BY ${key} LOOP
          INSERT INTO ${deltas} (${key}, rows, revision) VALUES (${values}, found.rows, 1);
          appended := appended + 1;
          IF found.workspace_id <> ALL (touched) THEN touched := touched || found.workspace_id; END IF;
        END LOOP;`;
  return `
    CREATE FUNCTION count_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      appended bigint := 0;
      touched uuid[] := '{}';
      one uuid;
      found record;
    BEGIN
      IF TG_OP = 'INSERT' THEN
        ${append('count(*)', 'added')}
      ELSIF TG_OP = 'UPDATE' THEN
        ${append(
          'sum(n)',
          `(SELECT ${key}, 1 AS n FROM added UNION ALL SELECT ${key}, -1 FROM removed) AS changed`,
        )}
      ELSIF TG_OP = 'DELETE' THEN
        ${unlessCascaded(append('-count(*)', 'removed'))}
      ELSE
        ${append('-sum(rows)', deltas)}
        RETURN NULL;
      END IF;
      IF random() * ${FOLD_ALWAYS} < appended THEN
        FOREACH one IN ARRAY touched LOOP
          FOR found IN
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
            SELECT ${key}, sum(rows) AS rows, sum(revision) AS revision FROM folded GROUP BY ${key}
          LOOP
            INSERT INTO ${deltas} (${key}, rows, revision) VALUES (${values}, found.rows, found.revision);
          END LOOP;
        END LOOP;
      END IF;
      RETURN NULL;
    END $$;`;
}
