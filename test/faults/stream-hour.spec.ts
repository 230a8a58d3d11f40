import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { resourcesOf } from '../../scripts/bench/support/resources.js';
import { SeededText } from '../../scripts/bench/support/seeded-text.js';
import { Random } from '../../src/sandbox/data/random.js';
import type { Listener } from '../../src/tenants/ports/listeners.js';
import { BlueskyNetwork } from '../../scripts/bench/support/bluesky-network.js';
import { openDataSource } from '../support/database.js';
import { type RestartableServers, startRestartableServers } from '../support/restartable-servers.js';
import { until } from '../support/until.js';
import { startStreamReader } from './support/stream-reader.js';

/** An hour of Bluesky by hand: `STREAM_TEST_HOUR=yes`. */
const [POSTS, WORKSPACES, QUERIES, KILLS] = process.env.STREAM_TEST_HOUR
  ? [180_000, 200, 10_000, 10]
  : [9_000, 20, 1_000, 3];
/** One post in so many has the word of a query, and one has it with a word that the query excludes. */
const PLANTED_EVERY = 25;
/** A reader begins again this much before the newest event that it knows. */
const REPLAYED_US = 5_000_000;
/** After these kills Postgres is restarted too. */
const RESTARTS = [2, 7];

describe('a stream that many queries listen to', () => {
  let servers: RestartableServers;
  let dataSource: DataSource;
  let network: BlueskyNetwork;
  const readers: ChildProcess[] = [];
  const workspaces = Array.from({ length: WORKSPACES }, () => randomUUID());
  const listeners = Array.from({ length: QUERIES }, (_, number): Listener => ({
    ...{ workspaceId: workspaces[number % WORKSPACES]!, id: randomUUID(), listen: ['bluesky'], of: 'all' },
    ...{ keywords: [], query: `(heron${number} OR "night heron ${number}") -grey`, forums: [] },
  }));

  beforeAll(async () => {
    servers = await startRestartableServers();
    dataSource = await openDataSource(servers.databaseUrl, { poolSize: 1 });
    for (const id of workspaces)
      await dataSource.query(`INSERT INTO workspaces (id, name) VALUES ($1, 'Test')`, [id]);
    network = await BlueskyNetwork.start();
  });
  afterAll(async () => {
    for (const reader of readers) reader.kill('SIGKILL');
    network.close();
    await servers.stop();
  });

  /** Writes the posts; returns which of them each workspace is to hear, as `workspace id`. */
  function writePosts(): string[] {
    const texts = new SeededText(new Random(61));
    const expected: string[] = [];
    for (let number = 0; number < POSTS; number += 1) {
      const query = Math.floor(number / PLANTED_EVERY) % QUERIES;
      const place = number % PLANTED_EVERY;
      const planted = place === 0 ? ` heron${query}` : place === 1 ? ` grey heron${query}` : '';
      const id = network.write(`k${number}`, { text: texts.sentence(8, 30) + planted });
      if (place === 0) expected.push(`${workspaces[query % WORKSPACES]} ${id}`);
    }
    return expected.sort();
  }

  /** How far the stored position has come, which stays a little before the newest event. */
  const progress = async (): Promise<number> => {
    const [first, last] = [network.log[0]!.time_us, network.log.at(-1)!.time_us - REPLAYED_US];
    const [row] = await dataSource
      .query<{ position: string | null }[]>('SELECT position FROM stream_cursors')
      .catch(() => []);
    return row?.position == null ? 0 : (Number(row.position) - first) / (last - first);
  };

  it('loses no match and finds none twice, over kills and restarts of Postgres', async () => {
    const expected = writePosts();
    // The reader was here before the listeners.
    await dataSource.query('INSERT INTO stream_cursors (source, position) VALUES ($1, $2)', [
      'bluesky',
      String(network.log[0]!.time_us),
    ]);
    let cpuSeconds = 0;
    const startedAt = Date.now();
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const reader = await startStreamReader(servers.databaseUrl, network.stream, listeners);
      readers.push(reader);
      await until(progress, (share) => share >= kill / (KILLS + 1));
      if (RESTARTS.includes(kill)) await servers.restartPostgres();
      cpuSeconds += resourcesOf(reader.pid!).cpuSeconds;
      reader.kill('SIGKILL');
    }
    readers.push(await startStreamReader(servers.databaseUrl, network.stream, listeners));
    await until(progress, (share) => share >= 1);
    const seconds = (Date.now() - startedAt) / 1_000;
    process.stderr.write(
      `${POSTS} posts: ${seconds} s, ${cpuSeconds.toFixed(1)} s of processor before the last kill\n`,
    );
    const heard = await dataSource.query<{ one: string }[]>(
      `SELECT workspace_id || ' ' || id AS one FROM heard_texts`,
    );
    expect(heard.map(({ one }) => one).sort()).toEqual(expected);
    const matched = await dataSource.query<{ sum: number }[]>('SELECT sum(matched)::int FROM listeners');
    expect(matched).toEqual([{ sum: expected.length }]);
  }, 600_000);
});
