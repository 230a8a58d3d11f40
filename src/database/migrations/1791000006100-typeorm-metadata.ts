import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Expressions of the generated columns as declared by their entities. */
const SEARCH_EXPRESSIONS = {
  posts:
    "setweight(to_tsvector('english'::regconfig, title), 'A') || setweight(to_tsvector('english'::regconfig, selftext), 'B')",
  comments: "to_tsvector('english'::regconfig, body)",
};

/** The table in which TypeORM's `migration:generate` looks up the expressions of generated columns. */
export class TypeormMetadata1791000006100 implements MigrationInterface {
  name = 'TypeormMetadata1791000006100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE typeorm_metadata (
        type varchar NOT NULL,
        database varchar,
        schema varchar,
        "table" varchar,
        name varchar,
        value text
      )`);
    for (const [table, expression] of Object.entries(SEARCH_EXPRESSIONS))
      await runner.query(
        `INSERT INTO typeorm_metadata (type, database, schema, "table", name, value)
         VALUES ('GENERATED_COLUMN', current_database(), current_schema(), $1, 'search', $2)`,
        [table, expression],
      );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE typeorm_metadata');
  }
}
