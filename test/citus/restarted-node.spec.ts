import { clusterUrls, crashServer, runOnServer } from '../support/cluster.js';
import { until } from '../support/until.js';
import { describeRecordings } from '../recordings/replay.js';
import { expectedWalks, walkAll, withoutRequests } from '../recordings/service-walk.js';

describeRecordings('scraping everything that was recorded, on a cluster', () => {
  it('stores exactly the same while every worker node crashes', async () => {
    const crashed: string[] = [];
    const found = await walkAll(
      ['--slow-ms', '20', '--fail-rate', '0.3', '--faults', 'slow'],
      async (url) => {
        /** Number of comments stored; null while a node recovers. */
        const stored = (): Promise<number | null> =>
          runOnServer<{ count: number }>(url, 'SELECT count(*)::int AS count FROM comments').then(
            ([row]) => row!.count,
            () => null,
          );
        for (const server of clusterUrls()!.slice(1)) {
          const before = await until(stored, (count) => count !== null, { timeoutMs: 60_000 });
          await until(stored, (count) => count !== null && count > before!, { timeoutMs: 60_000 });
          await crashServer(server);
          crashed.push(server);
        }
      },
    );
    expect(crashed.length).toBeGreaterThan(0);
    expect(withoutRequests(found)).toEqual(expectedWalks());
  }, 500_000);
});
