import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Segments store the source of their rows, so the builder lists all rows again. */
export class SourcesInSegments1800000092000 implements MigrationInterface {
  name = 'SourcesInSegments1800000092000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM search_segments');
    await runner.query('DELETE FROM search_changes');
  }

  down(runner: QueryRunner): Promise<void> {
    return this.up(runner);
  }
}
