import type { MigrationInterface, QueryRunner } from 'typeorm';

const KINDS = ['posts', 'comments'] as const;
type Kind = (typeof KINDS)[number];

/** Maximum number of ids in one row, so that a statement over millions of rows appends lists of bounded size. */
const IDS_PER_CHANGE = 10_000;

const EVENTS = {
  inserted: 'INSERT ON %s REFERENCING NEW TABLE AS added',
  updated: 'UPDATE ON %s REFERENCING OLD TABLE AS removed NEW TABLE AS added',
  deleted: 'DELETE ON %s REFERENCING OLD TABLE AS removed',
  truncated: 'TRUNCATE ON %s',
};

/** Segments of postings and columns, and the rows that have changed since the segments were written. */
export class SearchSegments1792000017000 implements MigrationInterface {
  name = 'SearchSegments1792000017000';

  async up(runner: QueryRunner): Promise<void> {
    const kind = (table: string) =>
      `kind text NOT NULL CONSTRAINT ${table}_kind_check CHECK (kind IN ('posts', 'comments'))`;
    const workspace = 'workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE';
    await runner.query(`CREATE TABLE search_changes (
      ${workspace},
      ${kind('search_changes')},
      id bigserial,
      row_ids text[] NOT NULL,
      row_count integer NOT NULL,
      changed_at timestamptz NOT NULL DEFAULT now(),
      -- Sums of the counts are read from the key alone, without the lists.
      PRIMARY KEY (workspace_id, kind, id) INCLUDE (row_count, changed_at)
    )`);
    await runner.query(`CREATE TABLE search_segments (
      ${workspace},
      id bigserial,
      ${kind('search_segments')},
      rows integer NOT NULL,
      outdated integer NOT NULL DEFAULT 0,
      outdated_rows bytea,
      outdated_since timestamptz,
      PRIMARY KEY (workspace_id, id)
    )`);
    await runner.query(`CREATE TABLE search_blocks (
      workspace_id uuid NOT NULL,
      segment_id bigint NOT NULL,
      number integer NOT NULL,
      data bytea NOT NULL,
      PRIMARY KEY (workspace_id, segment_id, number),
      FOREIGN KEY (workspace_id, segment_id)
        REFERENCES search_segments (workspace_id, id) ON DELETE CASCADE
    )`);
    // Compressing bitmaps and binary numbers costs time and saves little space.
    await runner.query('ALTER TABLE search_blocks ALTER COLUMN data SET STORAGE EXTERNAL');
    await runner.query(`CREATE TABLE search_backlogs (
      ${workspace},
      ${kind('search_backlogs')},
      listed_to text,
      PRIMARY KEY (workspace_id, kind)
    )`);
    for (const table of KINDS) {
      await runner.query(listFunction(table));
      for (const [event, definition] of Object.entries(EVENTS))
        await runner.query(
          `CREATE TRIGGER list_${event} AFTER ${definition.replace('%s', table)}
           FOR EACH STATEMENT EXECUTE FUNCTION list_changed_${table}()`,
        );
      await runner.query(
        `INSERT INTO search_backlogs (workspace_id, kind) SELECT id, '${table}' FROM workspaces`,
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of KINDS) {
      for (const event of Object.keys(EVENTS)) await runner.query(`DROP TRIGGER list_${event} ON ${table}`);
      await runner.query(`DROP FUNCTION list_changed_${table}()`);
    }
    for (const table of ['backlogs', 'blocks', 'segments', 'changes'])
      await runner.query(`DROP TABLE search_${table}`);
  }
}

/**
 * Appends the ids of the rows that a statement wrote or deleted, in the statement's transaction: in any snapshot, the
 * segment is correct for every row that is not listed. Lists are appended, never updated, so that writers do not wait
 * for each other.
 */
function listFunction(table: Kind): string {
  const append = (rows: string) => `
    INSERT INTO search_changes (workspace_id, kind, row_ids, row_count)
    SELECT workspace_id, '${table}', array_agg(id::text), count(*)
    FROM (SELECT workspace_id, id, (row_number() OVER () - 1) / ${IDS_PER_CHANGE} AS part FROM ${rows}) AS numbered
    GROUP BY workspace_id, part`;
  return `
    CREATE FUNCTION list_changed_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        ${append('added')};
      ELSIF TG_OP = 'UPDATE' THEN
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
