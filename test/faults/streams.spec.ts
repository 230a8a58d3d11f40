import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { StreamsRepository } from '../../src/collect/streams/streams.repository.js';
import { BlueskyNetwork } from '../../scripts/bench/support/bluesky-network.js';
import { createTestDatabase, openDataSource } from '../support/database.js';
import { until } from '../support/until.js';
import { startStreamReader } from './support/stream-reader.js';

const EVENTS_PER_TICK = 10;
const TICK_MS = 50;
/** 20 s with a kill every 4 s; a longer run by hand: `STREAM_TEST_SECONDS=300 STREAM_TEST_KILL_SECONDS=30`. */
const TICKS = (Number(process.env.STREAM_TEST_SECONDS ?? 20) * 1_000) / TICK_MS;
const KILLED_EVERY_TICKS = (Number(process.env.STREAM_TEST_KILL_SECONDS ?? 4) * 1_000) / TICK_MS;
/** One event in so many has a word to which two workspaces listen. */
const PLANTED_EVERY = 25;
const TOPICS = Array.from({ length: 20 }, (_, number) => `topic${number}`);

const database = await createTestDatabase();
const dataSource = await openDataSource(database.url, { poolSize: 2 });

describe('a stream whose reader is killed while events arrive', () => {
  let network: BlueskyNetwork;
  const workspaces = [randomUUID(), randomUUID()];
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    network = await BlueskyNetwork.start();
    for (const id of workspaces)
      await dataSource.query(`INSERT INTO workspaces (id, name) VALUES ($1, 'Test')`, [id]);
    const streams = new StreamsRepository(dataSource);
    for (const topic of TOPICS) await streams.want(randomUUID(), 'bluesky', topic);
  });
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL');
    network.close();
  });

  const startReader = async (): Promise<ChildProcess> => {
    const child = await startStreamReader(
      database.url,
      network.stream,
      workspaces.map((workspaceId) => ({
        ...{ workspaceId, id: workspaceId, listen: ['bluesky'], of: 'posts' as const },
        ...{ keywords: [], query: 'heron -grey', forums: [] },
      })),
    );
    children.push(child);
    return child;
  };
  const stored = async (): Promise<string[]> =>
    (await dataSource.query<{ id: string }[]>('SELECT id FROM stream_posts ORDER BY position')).map(
      ({ id }) => id,
    );

  it(
    'loses nothing, stores nothing twice, and keeps one connection',
    async () => {
      const [expected, planted]: [string[], string[]] = [[], []];
      // One reads, the other waits for the lease.
      const readers = [await startReader(), await startReader()];
      let kills = 0;
      let restarts: Promise<void> = Promise.resolve();
      for (let tick = 0; tick < TICKS; tick += 1) {
        for (let index = 0; index < EVENTS_PER_TICK; index += 1) {
          const number = tick * EVENTS_PER_TICK + index;
          const isWanted = number % 4 > 0;
          const isPlanted = number % PLANTED_EVERY === 0;
          const id = network.write(`k${number}`, {
            text: isPlanted ? 'A heron' : 'A grey heron',
            tag: isWanted ? TOPICS[number % TOPICS.length]! : 'other',
          });
          if (isWanted) expected.push(id);
          if (isPlanted) planted.push(id);
        }
        if (tick % KILLED_EVERY_TICKS === KILLED_EVERY_TICKS - 1)
          restarts = restarts.then(async () => {
            const killed = kills++ % readers.length;
            readers[killed]!.kill('SIGKILL');
            readers[killed] = await startReader();
          });
        await new Promise((resolve) => setTimeout(resolve, TICK_MS));
      }
      await restarts;
      const ids = await until(stored, (all) => all.length >= expected.length, {
        everyMs: 200,
      });
      expect([...ids].sort()).toEqual([...expected].sort());
      expect(network.mostConnections).toBe(1);
      const heard = await dataSource.query<{ id: string; workspace: string }[]>(
        'SELECT id, workspace_id AS workspace FROM heard_texts',
      );
      for (const id of workspaces)
        expect(
          heard
            .filter(({ workspace }) => workspace === id)
            .map((one) => one.id)
            .sort(),
        ).toEqual([...planted].sort());
      expect(await dataSource.query('SELECT matched::int FROM listeners')).toEqual(
        workspaces.map(() => ({ matched: planted.length })),
      );
      const rows = await dataSource.query<{ id: string; at: Date }[]>(
        'SELECT id, seen_at AS at FROM stream_posts',
      );
      const delays = rows
        .map(({ id, at }) => at.getTime() - network.writtenAt.get(id)!)
        .sort((a, b) => a - b);
      const p95 = delays[Math.floor(delays.length * 0.95)]!;
      process.stderr.write(
        `${rows.length} events, ${kills} kills, p95 ${p95} ms, most ${delays.at(-1)!} ms\n`,
      );
    },
    TICKS * TICK_MS * 2 + 60_000,
  );
});
