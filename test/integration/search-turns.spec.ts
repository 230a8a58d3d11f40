import { jest } from '@jest/globals';
import { parseEnvironment } from '../../src/config/environment.js';
import { DatabasePools } from '../../src/database/database-pools.js';
import { RowSecurity } from '../../src/database/row-security.js';
import { SearchDatabase } from '../../src/search/search-database.js';
import type { ConcurrencyQuotas } from '../../src/tenants/usage/concurrency-quotas.js';
import { createTestDatabase, openDataSource } from '../support/database.js';
import { until } from '../support/until.js';

/** Half of the search pool, which is the maximum for a workspace. */
const AT_MOST = 3;
const WITHOUT_QUOTA = {
  enter: () => Promise.resolve(() => undefined),
} as unknown as ConcurrencyQuotas;

const database = await createTestDatabase();
const dataSource = await openDataSource(database.url);

describe('the searches of a workspace', () => {
  let pools: DatabasePools;
  let rowSecurity: RowSecurity;
  let searches: SearchDatabase;
  /** Milliseconds by which the measured time runs ahead. */
  let ahead = 0;

  beforeAll(() => {
    const environment = parseEnvironment({ DATABASE_URL: database.url });
    pools = new DatabasePools(environment, dataSource);
    rowSecurity = new RowSecurity(dataSource, environment);
    searches = new SearchDatabase(environment, pools, rowSecurity, WITHOUT_QUOTA);
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await pools.onApplicationShutdown();
  });

  /** Begins `count` searches; resolves with how many are running once another workspace's search has ended. */
  async function running(workspaceId: string, count: number): Promise<number> {
    let begun = 0;
    let end = (): void => undefined;
    const ending = new Promise<void>((resolve) => (end = resolve));
    const all = Array.from({ length: count }, () =>
      searches.run(workspaceId, async (run) => {
        begun += 1;
        await run({ text: 'SELECT 1', parameters: [] });
        await ending;
      }),
    );
    const inUse = (): number => pools.usage().find(({ pool }) => pool === 'search')!.inUse;
    // Searches that have a slot may still be opening their connections.
    for (let round = 0; round < 5 || inUse() > begun; round += 1)
      await searches.run('another workspace', (run) => run({ text: 'SELECT 1', parameters: [] }));
    const atOnce = begun;
    end();
    await Promise.all(all);
    expect(begun).toBe(count);
    return atOnce;
  }

  it('run side by side on half of the connections', async () => {
    expect(await running('a', 5)).toBe(AT_MOST);
  });

  it('run one at a time after they took more than three seconds', async () => {
    await searches.run('a', () => {
      ahead += 4_000;
      return Promise.resolve();
    });
    expect(await running('a', 5)).toBe(1);
    expect(await running('b', 5)).toBe(AT_MOST);
    ahead += 12_000;
    expect(await running('a', 5)).toBe(AT_MOST);
  });

  it('run side by side however many short ones there were', async () => {
    for (let search = 0; search < 400; search += 1)
      await searches.run('short', () => {
        ahead += 15;
        return Promise.resolve();
      });
    expect(await running('short', 5)).toBe(AT_MOST);
  });

  it('release their turn when they fail, and their time counts', async () => {
    const failed = searches.run('f', () => {
      ahead += 4_000;
      return Promise.reject(new Error('failed'));
    });
    await expect(failed).rejects.toThrow('failed');
    expect(await running('f', 5)).toBe(1);
  });

  it('begin no statement after their timeout, even if they continue', async () => {
    const environment = parseEnvironment({ DATABASE_URL: database.url, SEARCH_TIMEOUT_MS: '100' });
    const own = new DatabasePools(environment, dataSource);
    const brief = new SearchDatabase(environment, own, rowSecurity, WITHOUT_QUOTA);
    let begun = 0;
    const search = brief.run('c', async (run) => {
      await run({ text: 'SELECT pg_sleep(60)', parameters: [] }).catch(() => undefined);
      for (const read of [run, run.inBinary])
        await read({ text: 'SELECT 1', parameters: [] }).then(
          () => (begun += 1),
          () => undefined,
        );
      return run({ text: 'SELECT 1', parameters: [] });
    });
    await expect(search).rejects.toMatchObject({
      code: 'search_timeout',
      extra: { headers: { 'Retry-After': '5' } },
    });
    expect(begun).toBe(0);
    await own.onApplicationShutdown();
  });

  it('begin no statement after their timeout, even if the process stops them late', async () => {
    const search = searches.run('d', async (run) => {
      ahead += 5_000;
      await run({ text: 'SELECT 1', parameters: [] });
    });
    await expect(search).rejects.toMatchObject({ code: 'search_timeout' });
  });

  it('are refused in the same way when no connection becomes free in time', async () => {
    const environment = parseEnvironment({ DATABASE_URL: database.url, SEARCH_TIMEOUT_MS: '100' });
    const own = new DatabasePools(environment, dataSource);
    const brief = new SearchDatabase(environment, own, rowSecurity, WITHOUT_QUOTA);
    let end = (): void => undefined;
    const ending = new Promise<void>((resolve) => (end = resolve));
    const held = Array.from({ length: AT_MOST }, () => brief.run('e', () => ending));
    const late = brief.run('e', () => Promise.reject(new Error('has begun')));
    await expect(late).rejects.toMatchObject({ code: 'search_timeout' });
    end();
    await Promise.all(held);
    await own.onApplicationShutdown();
  });

  it('do not pass on a connection that may still be cancelled', async () => {
    const environment = parseEnvironment({ DATABASE_URL: database.url, SEARCH_TIMEOUT_MS: '1000' });
    const own = new DatabasePools(environment, dataSource);
    const brief = new SearchDatabase(environment, own, rowSecurity, WITHOUT_QUOTA);
    let pid = 0;
    const search = brief.run('d', async (run) => {
      const [row] = await run<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid', parameters: [] });
      ({ pid } = row!);
      await run({ text: 'SELECT pg_sleep(60)', parameters: [] });
    });
    await expect(search).rejects.toMatchObject({ code: 'search_timeout' });
    const [next] = await brief.run('d', (run) =>
      run<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid', parameters: [] }),
    );
    expect(next!.pid).not.toBe(pid);
    const isOpen = async (): Promise<boolean> =>
      (await dataSource.query<unknown[]>('SELECT 1 FROM pg_stat_activity WHERE pid = $1', [pid])).length > 0;
    expect(pid).toBeGreaterThan(0);
    await until(isOpen, (open) => !open);
    await own.onApplicationShutdown();
  });
});
