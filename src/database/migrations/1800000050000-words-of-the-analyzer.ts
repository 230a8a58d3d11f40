import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { RunWithParameters } from '../fill-column.js';
import { fillSearchValues } from '../search-values.js';
import type { RunSql } from '../run-sql.js';
import { secureLists } from '../secured-rows.js';
import { DROP_VIEWS } from '../workspace-views.js';

/** The words of posts and comments come from the analyzer, which writes them with the row. */
export class WordsOfTheAnalyzer1800000050000 implements MigrationInterface {
  name = 'WordsOfTheAnalyzer1800000050000';
  transaction = false as const;

  async up(runner: QueryRunner): Promise<void> {
    const run: RunWithParameters & RunSql = <Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> =>
      runner.query(sql, parameters) as Promise<Row[]>;
    await run(DROP_VIEWS);
    for (const table of ['posts', 'comments'] as const) {
      const [column] = await run<{ isGenerated: string }>(
        `SELECT is_generated AS "isGenerated" FROM information_schema.columns
         WHERE table_schema = current_schema() AND table_name = $1 AND column_name = 'search'`,
        [table],
      );
      if (column?.isGenerated === 'ALWAYS')
        await run(
          `ALTER TABLE ${table} ALTER COLUMN search DROP EXPRESSION, ALTER COLUMN search SET DEFAULT ''`,
        );
      await fillSearchValues(run, table, 'all');
    }
    await secureLists(run);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DROP_VIEWS);
    await runner.query(`ALTER TABLE posts DROP COLUMN search, ADD COLUMN search tsvector NOT NULL GENERATED ALWAYS AS (
      setweight(to_tsvector('english'::regconfig, title), 'A') || setweight(to_tsvector('english'::regconfig, selftext), 'B')
    ) STORED`);
    await runner.query(`ALTER TABLE comments DROP COLUMN search, ADD COLUMN search tsvector NOT NULL GENERATED ALWAYS AS (
      to_tsvector('english'::regconfig, body)) STORED`);
    for (const table of ['posts', 'comments'])
      await runner.query(`CREATE INDEX ${table}_search ON ${table} USING gin (workspace_id, search)`);
    await secureLists(<Row>(sql: string) => runner.query(sql) as Promise<Row[]>);
  }
}
