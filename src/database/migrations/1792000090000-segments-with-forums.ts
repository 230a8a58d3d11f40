import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Marks segments that processes of earlier versions write from now on. These processes do not know the forums of
 * comments, which the next migrations store. Older segments need no mark, because comments whose forum changes are
 * listed as changed.
 */
export class SegmentsWithForums1792000090000 implements MigrationInterface {
  name = 'SegmentsWithForums1792000090000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE search_segments ADD COLUMN has_forums boolean NOT NULL DEFAULT true');
    await runner.query('ALTER TABLE search_segments ALTER COLUMN has_forums SET DEFAULT false');
    // Every second the builder looks for such segments of all workspaces.
    await runner.query(
      `CREATE INDEX search_segments_of_earlier_versions ON search_segments (workspace_id, kind)
       WHERE NOT (has_positions AND has_forums)`,
    );
    await runner.query('DROP INDEX search_segments_without_positions');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX search_segments_without_positions ON search_segments (workspace_id, kind) WHERE NOT has_positions',
    );
    await runner.query('ALTER TABLE search_segments DROP COLUMN has_forums');
  }
}
