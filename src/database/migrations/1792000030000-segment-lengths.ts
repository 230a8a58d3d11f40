import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Has segments without row lengths rewritten, one at a time; until then SQL statements compute the ranking. */
export class SegmentLengths1792000030000 implements MigrationInterface {
  name = 'SegmentLengths1792000030000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`UPDATE search_segments SET outdated_since = '-infinity'`);
    // Every second the builder looks for due segments of all workspaces.
    await runner.query(
      'CREATE INDEX search_segments_outdated ON search_segments (outdated_since) WHERE outdated_since IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX search_segments_outdated');
  }
}
