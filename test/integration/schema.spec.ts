import { join } from 'node:path';
import { getMetadataArgsStorage, type MigrationInterface } from 'typeorm';
import { migrationFiles, MIGRATIONS_FOLDER } from '../../src/database/migration-state.js';
import { createTestDatabase, openDataSource } from '../support/database.js';

/** Objects that entities cannot declare. A migration that adds another one must add it here too. */
const TRIGGERS = ['inserted', 'updated', 'deleted', 'truncated']
  .flatMap((event) => [
    `comments.count_${event}`,
    `comments.list_${event}`,
    `posts.count_${event}`,
    `posts.list_${event}`,
  ])
  .concat(['idempotency_keys.count_updated', 'idempotency_keys.count_deleted']);
const FUNCTIONS = [
  'count_comments',
  'count_idempotency_response',
  'count_posts',
  'discount_idempotency_responses',
  'list_changed_comments',
  'list_changed_posts',
];
/**
 * Indexes over expressions, with included columns or of another kind: entities name them, but TypeORM does not compare
 * them.
 */
const UNCOMPARED_INDEXES = {
  alert_relevance_due:
    'btree (COALESCE(claimed_until, due_at)) WHERE (COALESCE(claimed_until, due_at) IS NOT NULL)',
  comments_by_author: 'btree (workspace_id, lower(author), created_utc, id)',
  comments_by_forum: 'btree (workspace_id, lower(forum), created_utc, id)',
  comments_of_accounts: "btree (comment_id text_pattern_ops) WHERE starts_with(comment_id, 'bs_'::text)",
  comments_search: 'gin (workspace_id, search)',
  job_posts_pending: 'btree (workspace_id, job_id, "position") WHERE comments_pending',
  jobs_by_target: 'btree (workspace_id, target_type, lower(target), started_at)',
  jobs_ended: 'btree (completed_at) WHERE (completed_at IS NOT NULL)',
  jobs_waiting_large:
    "btree (workspace_id, created_at, id) WHERE ((status = 'pending'::text) AND (NOT ((mode = 'monitor'::text) OR (post_limit <= 100))))",
  jobs_waiting_small:
    "btree (workspace_id, created_at, id) WHERE ((status = 'pending'::text) AND ((mode = 'monitor'::text) OR (post_limit <= 100)))",
  posts_by_author: 'btree (workspace_id, lower(author), created_utc, id)',
  posts_by_forum: 'btree (workspace_id, lower(forum), created_utc, id)',
  posts_of_accounts: "btree (id text_pattern_ops) WHERE starts_with(id, 'bs_'::text)",
  posts_search: 'gin (workspace_id, search)',
  stream_posts_of_accounts: 'btree (id text_pattern_ops)',
};
const TABLES_OF_TYPEORM = ['migrations'];
const STORAGE_PARAMETERS = {
  // Claims of deliveries are heap-only updates, which need room in the page.
  deliveries: ['fillfactor=50'],
  // Blocks of segments that were merged leave large dead values.
  search_blocks: [
    'autovacuum_vacuum_scale_factor=0.02',
    'autovacuum_vacuum_threshold=500',
    'autovacuum_vacuum_cost_limit=2000',
  ],
};
/** Columns with values that Postgres would try to compress in vain. */
const UNCOMPRESSED = ['job_posts.phrase_keys', 'keyword_frequencies.state', 'search_blocks.data'];

/** The migrations of this build, in the order in which they are reverted. */
async function newestFirst(): Promise<MigrationInterface[]> {
  const migrations: MigrationInterface[] = [];
  // One after the other: Jest fails when files that import the same file are imported at once.
  for (const file of (await migrationFiles()).sort().reverse()) {
    const path = join(MIGRATIONS_FOLDER, file);
    const [Migration] = Object.values((await import(path)) as Record<string, new () => MigrationInterface>);
    migrations.push(new Migration!());
  }
  return migrations;
}

const database = await createTestDatabase();
const dataSource = await openDataSource(database.url);

describe('schema and entities', () => {
  const names = async (sql: string): Promise<string[]> =>
    (await dataSource.query<{ name: string }[]>(sql)).map(({ name }) => name).sort();

  it('agree: migration:generate would write nothing', async () => {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    // Each statement is missing in the migrations or not declared by an entity.
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('agree on the tables', async () => {
    expect(await names(`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`)).toEqual(
      [...dataSource.entityMetadatas.map(({ tableName }) => tableName), ...TABLES_OF_TYPEORM].sort(),
    );
  });

  it('agree on the indexes that TypeORM does not compare', async () => {
    const uncompared = getMetadataArgsStorage()
      .indices.filter(({ synchronize }) => synchronize === false)
      .map(({ name }) => name);
    expect(uncompared.sort()).toEqual(Object.keys(UNCOMPARED_INDEXES));
    const rows = await dataSource.query<{ name: string; definition: string }[]>(
      `SELECT indexname AS name, split_part(indexdef, ' USING ', 2) AS definition FROM pg_indexes
       WHERE schemaname = 'public' AND indexname = ANY ($1)`,
      [uncompared],
    );
    expect(Object.fromEntries(rows.map(({ name, definition }) => [name, definition]))).toEqual(
      UNCOMPARED_INDEXES,
    );
  });

  it('agree on checks and on conditions of indexes, of which TypeORM compares names', async () => {
    const runner = dataSource.createQueryRunner();
    const differing: string[][] = [];
    // Postgres writes a declared condition as it writes that of the migrations.
    const compare = async (added: string, definitions: string, removed: string): Promise<void> => {
      await runner.query(added);
      const found = (await runner.query(definitions)) as { definition: string }[];
      if (found.length !== 1) differing.push(found.map(({ definition }) => definition));
      await runner.query(removed);
    };
    await runner.startTransaction();
    for (const { tableName: table, checks, indices } of dataSource.entityMetadatas) {
      for (const { name, expression } of checks)
        await compare(
          `ALTER TABLE ${table} ADD CONSTRAINT declared CHECK (${expression})`,
          `SELECT DISTINCT pg_get_constraintdef(oid) AS definition FROM pg_constraint
           WHERE conrelid = '${table}'::regclass AND conname IN ('declared', '${name}')`,
          `ALTER TABLE ${table} DROP CONSTRAINT declared`,
        );
      for (const { name, where } of indices.filter(({ synchronize }) => synchronize))
        await compare(
          `CREATE INDEX declared ON ${table} ((true)) ${where === undefined ? '' : `WHERE ${where}`}`,
          `SELECT DISTINCT pg_get_expr(indpred, indrelid) AS definition FROM pg_index
           WHERE indexrelid IN ('declared'::regclass, '${name}'::regclass)`,
          'DROP INDEX declared',
        );
    }
    await runner.rollbackTransaction();
    await runner.release();
    expect(differing).toEqual([]);
  });

  it('are removed without a trace when the migrations are reverted', async () => {
    const empty = await createTestDatabase();
    const reverted = await openDataSource(empty.url);
    const runner = reverted.createQueryRunner();
    for (const migration of await newestFirst()) await migration.down(runner);
    await runner.release();
    const left = await reverted.query<{ name: string }[]>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace IN ('public'::regnamespace, to_regnamespace('workspace_rows'))
         AND relkind IN ('r', 'v') AND relname <> 'migrations'
       UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace
         AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')`,
    );
    await reverted.destroy();
    await empty.drop();
    expect(left).toEqual([]);
  });

  it('have the known triggers and functions', async () => {
    expect(
      await names(`SELECT tgrelid::regclass || '.' || tgname AS name FROM pg_trigger WHERE NOT tgisinternal`),
    ).toEqual([...TRIGGERS].sort());
    expect(
      await names(`SELECT proname AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace
        AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')`),
    ).toEqual(FUNCTIONS);
  });

  it('have the known storage parameters', async () => {
    const rows = await dataSource.query<{ name: string; options: string[] }[]>(
      `SELECT c.relname AS name, c.reloptions AS options FROM pg_class c
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.reloptions IS NOT NULL`,
    );
    expect(Object.fromEntries(rows.map(({ name, options }) => [name, options]))).toEqual(STORAGE_PARAMETERS);
    expect(
      await names(`SELECT attrelid::regclass || '.' || attname AS name FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND attnum > 0 AND attstorage = 'e'`),
    ).toEqual(UNCOMPRESSED);
  });
});
