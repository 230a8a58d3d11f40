import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { parseEnvironment } from '../../src/config/environment.js';
import { DatabasePools } from '../../src/database/database-pools.js';
import { asRequestOf, createTestDatabase, openDataSource } from '../support/database.js';

const QUERY_CANCELED = '57014';

const database = await createTestDatabase();
const dataSource = await openDataSource(database.url);
const pools = new DatabasePools(parseEnvironment({ DATABASE_URL: database.url }), dataSource);

describe('reading from a connection of a pool', () => {
  afterAll(async () => {
    await pools.onApplicationShutdown();
  });

  it.each([
    ['', (abort: () => Promise<void>) => abort()],
    [' of a workspace', (abort: () => Promise<void>) => asRequestOf(randomUUID(), abort)],
  ])('stops its statement when the signal of a request%s aborts', async (_, inRequest) => {
    const pool = pools.create('read', { max: 1 });
    const leaving = new AbortController();
    const reading = pools.reading(pool, leaving.signal, async function* (client) {
      yield 'begun';
      await client.query('SELECT pg_sleep(60)');
    });
    expect(await reading.next()).toEqual({ done: false, value: 'begun' });
    const rest = expect(reading.next()).rejects.toMatchObject({ code: QUERY_CANCELED });
    await inRequest(() => Promise.resolve(leaving.abort()));
    await rest;
    expect(pool.totalCount).toBe(0);
  });

  it('stops a statement that begins after the first cancel has found nothing to stop', async () => {
    const pool = pools.create('later', { max: 1 });
    const leaving = new AbortController();
    const cancels = jest.spyOn(dataSource, 'query');
    const reading = pools.reading(pool, leaving.signal, async function* (client) {
      yield 'begun';
      await cancels.mock.results[0]?.value;
      await client.query('SELECT pg_sleep(60)');
    });
    await reading.next();
    leaving.abort();
    await expect(reading.next()).rejects.toMatchObject({ code: QUERY_CANCELED });
    cancels.mockRestore();
  });

  it('begins no statement when the signal aborted while it waited for the connection', async () => {
    const pool = pools.create('waiting', { max: 1 });
    const other = await pool.connect();
    const leaving = new AbortController();
    let hasBegun = false;
    // eslint-disable-next-line require-yield, @typescript-eslint/require-await
    const reading = pools.reading(pool, leaving.signal, async function* () {
      hasBegun = true;
    });
    const rest = expect(reading.next()).rejects.toThrow('The client has gone');
    leaving.abort(new Error('The client has gone'));
    other.release();
    await rest;
    expect(hasBegun).toBe(false);
  });

  it('closes the connection when the signal aborts just before the end', async () => {
    const pool = pools.create('ending', { max: 1 });
    const leaving = new AbortController();
    const reading = pools.reading(pool, leaving.signal, async function* (client) {
      yield await client.query('SELECT 1');
      leaving.abort();
    });
    await reading.next();
    expect(await reading.next()).toEqual({ done: true, value: undefined });
    expect(pool.totalCount).toBe(0);
  });

  it('cancels nothing once its reader has ended', async () => {
    const pool = pools.create('ended', { max: 1 });
    const leaving = new AbortController();
    const begun = jest.spyOn(globalThis, 'setInterval');
    const ended = jest.spyOn(globalThis, 'clearInterval');
    // eslint-disable-next-line require-yield, @typescript-eslint/require-await
    const reading = pools.reading(pool, leaving.signal, async function* () {
      leaving.abort();
    });
    await reading.next();
    expect(begun).toHaveBeenCalledTimes(1);
    expect(ended).toHaveBeenCalledWith(begun.mock.results[0]!.value);
    begun.mockRestore();
    ended.mockRestore();
  });
});
