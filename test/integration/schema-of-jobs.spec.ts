import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { loadEntities } from '../../src/database/entities.js';
import { JobExecutions1791000002000 } from '../../src/database/migrations/1791000002000-job-executions.js';
import { HashedMediaKeys1791000002100 } from '../../src/database/migrations/1791000002100-hashed-media-keys.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

const TABLES = [
  'jobs',
  'job_turns',
  'job_executions',
  'job_posts',
  'job_media',
  'keyword_frequencies',
  'media_files',
];

describe('the entities of jobs and scraping', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await new DataSource({
      ...dataSourceOptions(database.url),
      entities: await loadEntities(),
    }).initialize();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database.drop();
  });

  it('declare what the migrations create', async () => {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    const changes = upQueries
      .map(({ query }) => query)
      .filter((query) => TABLES.some((table) => query.includes(`"${table}"`)));
    expect(changes).toEqual([]);
  });

  it('keep the execution of an unfinished job when migrations are reverted and run again', async () => {
    const execution = `INSERT INTO job_executions (workspace_id, job_id, is_small, lease_until, attempts, checkpoint, keywords_version)
      SELECT workspace_id, id, true, now(), 2, '{"version": 1, "step": 3}', 4 FROM jobs`;
    await dataSource.query(`INSERT INTO workspaces (id, name) VALUES (gen_random_uuid(), 'w')`);
    await dataSource.query(
      `INSERT INTO jobs (workspace_id, id, target, target_type, mode, post_limit, download_media, scrape_comments, status)
       SELECT id, gen_random_uuid(), 'a', 'forum', 'full', 20, true, true, 'running' FROM workspaces`,
    );
    await dataSource.query(execution);
    const read = () =>
      dataSource.query('SELECT is_small, attempts, checkpoint, keywords_version FROM job_executions');
    const before = await read();
    const runner = dataSource.createQueryRunner();
    for (const migration of [new HashedMediaKeys1791000002100(), new JobExecutions1791000002000()])
      await migration.down(runner);
    for (const migration of [new JobExecutions1791000002000(), new HashedMediaKeys1791000002100()])
      await migration.up(runner);
    await runner.release();
    expect(await read()).toEqual(before);
  });
});
