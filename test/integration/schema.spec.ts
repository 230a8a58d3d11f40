import { getMetadataArgsStorage, type DataSource } from 'typeorm';
import { Baseline1800000000000 } from '../../src/database/migrations/1800000000000-baseline.js';
import { SessionParents1800000030000 } from '../../src/database/migrations/1800000030000-session-parents.js';
import { Streams1800000090000 } from '../../src/database/migrations/1800000090000-streams.js';
import { NotifiedPeople1800000190010 } from '../../src/database/migrations/1800000190010-notified-people.js';
import { Arrivals1800000130000 } from '../../src/database/migrations/1800000130000-arrivals.js';
import { AuditChain1800000094000 } from '../../src/database/migrations/1800000094000-audit-chain.js';
import { Datasets1800000120000 } from '../../src/database/migrations/1800000120000-datasets.js';
import { Labels1800000121000 } from '../../src/database/migrations/1800000121000-labels.js';
import { Erasures1800000093000 } from '../../src/database/migrations/1800000093000-erasures.js';
import { FoldedStories1800000091000 } from '../../src/database/migrations/1800000091000-folded-stories.js';
import { SpikeAlerts1800000091100 } from '../../src/database/migrations/1800000091100-spike-alerts.js';
import { SavedSearches1800000083000 } from '../../src/database/migrations/1800000083000-saved-searches.js';
import { RowSecurity1800000001000 } from '../../src/database/migrations/1800000001000-row-security.js';
import { createTestDatabase, openDataSource, type TestDatabase } from '../support/database.js';

/** Objects that entities cannot declare. A migration that adds another one must add it here too. */
const TRIGGERS = ['inserted', 'updated', 'deleted', 'truncated'].flatMap((event) => [
  `comments.count_${event}`,
  `comments.list_${event}`,
  `posts.count_${event}`,
  `posts.list_${event}`,
]);
const FUNCTIONS = ['count_comments', 'count_posts', 'list_changed_comments', 'list_changed_posts'];
/**
 * Indexes over expressions, with included columns or of another kind: entities name them, but TypeORM does not compare
 * them.
 */
const UNCOMPARED_INDEXES = [
  'comments_by_author',
  'comments_by_forum',
  'comments_of_accounts',
  'comments_search',
  'job_posts_pending',
  'jobs_by_target',
  'jobs_ended',
  'jobs_waiting_large',
  'jobs_waiting_small',
  'posts_by_author',
  'posts_by_forum',
  'posts_of_accounts',
  'posts_search',
  'stream_posts_of_accounts',
];
const TABLES_OF_TYPEORM = ['migrations'];
describe('schema and entities', () => {
  let database: TestDatabase;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await openDataSource(database.url);
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

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
    expect(uncompared.sort()).toEqual(UNCOMPARED_INDEXES);
    expect(await names(`SELECT indexname AS name FROM pg_indexes WHERE schemaname = 'public'`)).toEqual(
      expect.arrayContaining(UNCOMPARED_INDEXES),
    );
  });

  it('are removed without a trace when the migrations are reverted', async () => {
    const empty = await createTestDatabase();
    const reverted = await openDataSource(empty.url);
    const runner = reverted.createQueryRunner();
    await new NotifiedPeople1800000190010().down(runner);
    await new Arrivals1800000130000().down(runner);
    await new Labels1800000121000().down(runner);
    await new Datasets1800000120000().down(runner);
    await new AuditChain1800000094000().down(runner);
    await new Erasures1800000093000().down(runner);
    await new Streams1800000090000().down(runner);
    await new SpikeAlerts1800000091100().down(runner);
    await new FoldedStories1800000091000().down(runner);
    await new SavedSearches1800000083000().down(runner);
    await new SessionParents1800000030000().down(runner);
    for (const migration of [new RowSecurity1800000001000(), new Baseline1800000000000()])
      await migration.down(runner);
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
});
