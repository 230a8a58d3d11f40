import { type IndexedTable, statementTriggers, unlessCascaded } from './statement-triggers.js';

/** Maximum number of ids in one row, so that a statement over millions of rows appends lists of bounded size. */
const IDS_PER_CHANGE = 10_000;

/** Autovacuum by a small share of the rows: blocks of segments that were merged leave large dead values. */
const VACUUM = ['', 'toast.']
  .flatMap((table) => [
    `${table}autovacuum_vacuum_scale_factor = 0.02`,
    `${table}autovacuum_vacuum_threshold = 500`,
    `${table}autovacuum_vacuum_cost_limit = 2000`,
  ])
  .join(', ');

/**
 * Segments of the search index, and the ids of the rows that statements wrote or deleted since: in any snapshot, the
 * segments are correct for every row that is not listed. Lists are appended, never updated, so that writers do not wait
 * for each other.
 */
export const SEARCH = `
  CREATE TABLE search_changes (
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    kind text NOT NULL CHECK (kind IN ('posts', 'comments')),
    id bigserial,
    row_ids text[] NOT NULL,
    row_count integer NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now(),
    -- Sums of the counts are read from the key alone, without the lists.
    PRIMARY KEY (workspace_id, kind, id) INCLUDE (row_count, changed_at)
  );

  CREATE TABLE search_segments (
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    -- Never repeats, whatever a failover loses, so that processes can keep its blocks.
    id uuid NOT NULL DEFAULT gen_random_uuid(),
    kind text NOT NULL CHECK (kind IN ('posts', 'comments')),
    rows integer NOT NULL,
    outdated integer NOT NULL DEFAULT 0,
    outdated_rows bytea,
    -- Since when it has a row whose text must leave it.
    erased_since timestamptz,
    PRIMARY KEY (workspace_id, id)
  );
  -- Every second the builder looks for due segments of all workspaces.
  CREATE INDEX search_segments_erased ON search_segments (erased_since) WHERE erased_since IS NOT NULL;

  CREATE TABLE search_blocks (
    workspace_id uuid NOT NULL,
    segment_id uuid NOT NULL,
    number integer NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (workspace_id, segment_id, number),
    FOREIGN KEY (workspace_id, segment_id) REFERENCES search_segments (workspace_id, id) ON DELETE CASCADE
  ) WITH (${VACUUM});
  -- Compressing bitmaps and binary numbers costs time and saves little space.
  ALTER TABLE search_blocks ALTER COLUMN data SET STORAGE EXTERNAL;
  ${listFunction('posts')}
  ${statementTriggers('list', 'posts', 'list_changed_posts')}
  ${listFunction('comments')}
  ${statementTriggers('list', 'comments', 'list_changed_comments')}`;

/** Appends the ids of the rows that a statement wrote or deleted, in the statement's transaction. */
function listFunction(table: IndexedTable): string {
  const append = (rows: string): string => `
        FOR found IN
          SELECT workspace_id, array_agg(id::text) AS row_ids, count(*) AS row_count
          FROM (SELECT workspace_id, id, (row_number() OVER () - 1) / ${IDS_PER_CHANGE} AS part FROM ${rows}) AS numbered
          GROUP BY workspace_id, part
        LOOP
          INSERT INTO search_changes (workspace_id, kind, row_ids, row_count)
          VALUES (found.workspace_id, '${table}', found.row_ids, found.row_count);
        END LOOP;`;
  return `
    CREATE FUNCTION list_changed_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      found record;
    BEGIN
      IF TG_OP = 'INSERT' THEN
        ${append('added')}
      ELSIF TG_OP = 'UPDATE' THEN
        ${append('(SELECT workspace_id, id FROM removed UNION SELECT workspace_id, id FROM added) AS changed')}
      ELSIF TG_OP = 'DELETE' THEN
        ${unlessCascaded(append('removed'))}
      ELSE
        DELETE FROM search_segments WHERE kind = '${table}';
        DELETE FROM search_changes WHERE kind = '${table}';
      END IF;
      RETURN NULL;
    END $$;`;
}
