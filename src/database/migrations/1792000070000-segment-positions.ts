import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Has segments without word positions rewritten, one at a time; until then SQL statements search for phrases. */
export class SegmentPositions1792000070000 implements MigrationInterface {
  name = 'SegmentPositions1792000070000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE search_segments ADD COLUMN has_positions boolean NOT NULL DEFAULT false');
    // Every second the builder looks for such segments of all workspaces.
    await runner.query(
      'CREATE INDEX search_segments_without_positions ON search_segments (workspace_id, kind) WHERE NOT has_positions',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE search_segments DROP COLUMN has_positions');
  }
}
