import type { DataSource } from 'typeorm';
import { parseEnvironment } from '../../src/config/environment.js';
import { DatabasePools } from '../../src/database/database-pools.js';
import { createTestDatabase, openDataSource, type TestDatabase } from '../support/database.js';

const QUERY_CANCELED = '57014';

describe('reading from a connection of a pool', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  let pools: DatabasePools;

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await openDataSource(database.url);
    pools = new DatabasePools(parseEnvironment({ DATABASE_URL: database.url }), dataSource);
  });
  afterAll(async () => {
    await pools.onApplicationShutdown();
    await dataSource.destroy();
    await database.drop();
  });

  it('stops its statement when the signal aborts, and closes the connection', async () => {
    const pool = pools.create('read', { max: 1 });
    const leaving = new AbortController();
    const reading = pools.reading(pool, leaving.signal, async function* (client) {
      yield 'begun';
      await client.query('SELECT pg_sleep(60)');
    });
    expect(await reading.next()).toEqual({ done: false, value: 'begun' });
    const rest = expect(reading.next()).rejects.toMatchObject({ code: QUERY_CANCELED });
    leaving.abort();
    await rest;
    expect(pool.totalCount).toBe(0);
  });
});
