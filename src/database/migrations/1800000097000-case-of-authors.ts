import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Segments store authors with their case where the source tells them apart by it: the builder lists all rows again. */
export class CaseOfAuthors1800000097000 implements MigrationInterface {
  name = 'CaseOfAuthors1800000097000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM search_segments');
    await runner.query('DELETE FROM search_changes');
  }

  async down(runner: QueryRunner): Promise<void> {
    await this.up(runner);
  }
}
