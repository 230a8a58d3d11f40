import type { MigrationInterface, QueryRunner } from 'typeorm';
import { countFunction } from './baseline/counts.js';
import { listFunction } from './baseline/search.js';
import type { IndexedTable } from './baseline/statement-triggers.js';

/** As in the baseline. */
const FOLD_ALWAYS = 32;
const IDS_PER_CHANGE = 10_000;
const COUNTED_BY = { posts: 'forum', comments: null } as const;

/**
 * Rows that are deleted with their workspace are neither counted nor listed: what would be stored about them has no
 * workspace to refer to. Nodes of Citus have no table of workspaces to look into, and no such foreign key.
 */
const unlessCascaded = (statements: string): string => `
        BEGIN
          ${statements}
        EXCEPTION WHEN foreign_key_violation THEN
          RETURN NULL;
        END;`;

/**
 * Trigger functions read the transition tables in a SELECT of their own and pass its rows to INSERTs by value: Citus
 * does not know transition tables, so a statement that names one cannot also name a distributed table.
 */
export class RowsByValue1800000100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['posts', 'comments'] as const) {
      await runner.query(countByValue(table));
      await runner.query(listByValue(table));
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['posts', 'comments'] as const)
      for (const create of [countFunction, listFunction])
        await runner.query(create(table).replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION'));
  }
}

/** Appends deltas per key, and may then fold those of its workspaces into one row per key. */
function countByValue(table: IndexedTable): string {
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
    CREATE OR REPLACE FUNCTION count_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
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
    END $$`;
}

/** Appends the ids of the rows that a statement wrote or deleted, in the statement's transaction. */
function listByValue(table: IndexedTable): string {
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
    CREATE OR REPLACE FUNCTION list_changed_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
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
    END $$`;
}
