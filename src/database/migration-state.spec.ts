import type pg from 'pg';
import { connect, createTestDatabase } from '../../test/support/database.js';
import { isMigrated } from './migration-state.js';

const database = await createTestDatabase();

describe('a database', () => {
  let client: pg.Client;

  beforeAll(async () => {
    client = await connect(database.url);
  });
  afterAll(async () => {
    await client.end();
  });

  it('is migrated when every migration of the build has run', async () => {
    expect(await isMigrated(database.url)).toBe(true);
  });

  it('is not migrated while one is missing', async () => {
    await client.query(
      'DELETE FROM migrations WHERE timestamp = (SELECT max(timestamp::bigint) FROM migrations)',
    );
    expect(await isMigrated(database.url)).toBe(false);
  });

  it('is not migrated without a record of migrations', async () => {
    await client.query('DROP TABLE migrations');
    expect(await isMigrated(database.url)).toBe(false);
  });
});
