import { CONTROL_TABLES, DATA_TABLES, planDistribution } from '../../src/cli/distribution/plan.js';
import { clusterUrls, onDatabase, runOnServer } from '../support/cluster.js';
import { connect, createTestDatabase } from '../support/database.js';

const database = await createTestDatabase();

describe('npm run db -- distribute', () => {
  it('lets Citus know the data tables and no other', async () => {
    const known = await runOnServer<{ name: string; method: string }>(
      database.url,
      'SELECT logicalrelid::regclass::text AS name, partmethod AS method FROM pg_dist_partition ORDER BY 1',
    );
    expect(known).toEqual([...DATA_TABLES].sort().map((name) => ({ name, method: 'h' })));
    expect(known.filter(({ name }) => CONTROL_TABLES.some((table) => table === name))).toEqual([]);
  });

  it('puts all tables of a workspace on one node, and workspaces on all worker nodes', async () => {
    const groups = await runOnServer<{ groups: number }>(
      database.url,
      'SELECT count(DISTINCT colocationid)::int AS groups FROM pg_dist_partition',
    );
    expect(groups).toEqual([{ groups: 1 }]);
    const [{ nodes }] = (await runOnServer<{ nodes: number }>(
      database.url,
      'SELECT count(DISTINCT groupid)::int AS nodes FROM pg_dist_placement WHERE groupid > 0',
    )) as [{ nodes: number }];
    expect(nodes).toBe(clusterUrls()!.length - 1);
  });

  it('has nothing left to do', async () => {
    const client = await connect(database.url);
    try {
      expect(await planDistribution(client)).toEqual([]);
    } finally {
      await client.end();
    }
  });

  it('gives searches on nodes the memory and the one process of a single server', async () => {
    const { pathname } = new URL(database.url);
    for (const server of clusterUrls()!)
      expect(
        await runOnServer(
          onDatabase(server, pathname.slice(1)),
          `SELECT current_setting('work_mem') AS memory, current_setting('max_parallel_workers_per_gather') AS others`,
        ),
      ).toEqual([{ memory: '64MB', others: '0' }]);
  });

  it('leaves the trigger functions on every node', async () => {
    const { pathname } = new URL(database.url);
    for (const server of clusterUrls()!)
      expect(
        await runOnServer(
          onDatabase(server, pathname.slice(1)),
          `SELECT proname AS name FROM pg_proc WHERE proname IN ('count_posts', 'list_changed_posts') ORDER BY 1`,
        ),
      ).toEqual([{ name: 'count_posts' }, { name: 'list_changed_posts' }]);
  });
});
