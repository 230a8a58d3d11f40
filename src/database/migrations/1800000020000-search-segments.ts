import type { MigrationInterface, QueryRunner } from 'typeorm';
import { secureRows } from '../secured-rows.js';

/** Autovacuum by a small share of the rows: blocks of segments that were merged leave large dead values. */
const VACUUM = ['', 'toast.']
  .flatMap((table) => [
    `${table}autovacuum_vacuum_scale_factor = 0.02`,
    `${table}autovacuum_vacuum_threshold = 500`,
    `${table}autovacuum_vacuum_cost_limit = 2000`,
  ])
  .join(', ');

/** Both tables are derived: the builder lists all rows again when a workspace has neither segments nor changes. */
const recreate = (id: string, since: string, index: string): string => `
  DROP TABLE search_blocks, search_segments;
  DELETE FROM search_changes;
  CREATE TABLE search_segments (
    workspace_id uuid NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
    id ${id},
    kind text NOT NULL CHECK (kind IN ('posts', 'comments')),
    rows integer NOT NULL,
    outdated integer NOT NULL DEFAULT 0,
    outdated_rows bytea,
    ${since} timestamptz,
    PRIMARY KEY (workspace_id, id)
  );
  -- Every second the builder looks for due segments of all workspaces.
  CREATE INDEX ${index} ON search_segments (${since}) WHERE ${since} IS NOT NULL;
  CREATE TABLE search_blocks (
    workspace_id uuid NOT NULL,
    segment_id ${id.startsWith('uuid') ? 'uuid' : 'bigint'} NOT NULL,
    number integer NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (workspace_id, segment_id, number),
    FOREIGN KEY (workspace_id, segment_id) REFERENCES search_segments (workspace_id, id) ON DELETE CASCADE
  );
  -- Compressing bitmaps and binary numbers costs time and saves little space.
  ALTER TABLE search_blocks ALTER COLUMN data SET STORAGE EXTERNAL`;

/**
 * Ids of segments never repeat, whatever a failover loses; segments are rewritten only when the text of a row must leave
 * them; and dead blocks are removed soon.
 */
export class SearchSegments1800000020000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      recreate('uuid NOT NULL DEFAULT gen_random_uuid()', 'erased_since', 'search_segments_erased'),
    );
    await runner.query(`ALTER TABLE search_blocks SET (${VACUUM})`);
    await secureRows((sql) => runner.manager.query(sql));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(recreate('bigserial', 'outdated_since', 'search_segments_outdated'));
    await secureRows((sql) => runner.manager.query(sql));
  }
}
