import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Has segments written before they contained lengths of rows rewritten, one at a time; until then statements rank. */
export class SegmentLengths1792000030000 implements MigrationInterface {
  name = 'SegmentLengths1792000030000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`UPDATE search_segments SET outdated_since = '-infinity'`);
    // The builder looks for due segments every second, of all workspaces.
    await runner.query(
      'CREATE INDEX search_segments_outdated ON search_segments (outdated_since) WHERE outdated_since IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX search_segments_outdated');
  }
}
