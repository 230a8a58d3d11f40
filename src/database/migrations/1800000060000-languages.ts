import type { MigrationInterface, QueryRunner } from 'typeorm';
import { fillLanguages } from '../fill-languages.js';
import type { RunSql } from '../run-sql.js';
import type { RunWithParameters } from '../fill-column.js';
import { secureLists } from '../secured-rows.js';
import { DROP_VIEWS } from '../workspace-views.js';

/**
 * Posts and comments have a language. The migration can be interrupted and repeated: it fills only rows that have none.
 * Segments store the language, so the builder lists all rows again.
 */
export class Languages1800000060000 implements MigrationInterface {
  name = 'Languages1800000060000';
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    const run: RunWithParameters & RunSql = <Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> =>
      runner.query(sql, parameters) as Promise<Row[]>;
    for (const table of ['posts', 'comments'] as const) {
      await run(`ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS language text NOT NULL DEFAULT ''`);
      await fillLanguages(run, table);
      await run(`ALTER TABLE ${table} ALTER COLUMN language SET DEFAULT 'und'`);
      // Rows that processes of the version before stored meanwhile.
      await fillLanguages(run, table);
    }
    await run('DELETE FROM search_segments');
    await run('DELETE FROM search_changes');
    await secureLists(run);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DROP_VIEWS);
    for (const table of ['posts', 'comments'])
      await runner.query(`ALTER TABLE ${table} DROP COLUMN language`);
    await runner.query('DELETE FROM search_segments');
    await runner.query('DELETE FROM search_changes');
    await secureLists(<Row>(sql: string) => runner.query(sql) as Promise<Row[]>);
  }
}
