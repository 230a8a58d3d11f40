import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { type WebSocket, WebSocketServer } from 'ws';
import { StreamsRepository } from '../../src/collect/streams/streams.repository.js';
import { createTestDatabase, openDataSource, type TestDatabase } from '../support/database.js';
import { until } from '../support/until.js';

const EVENTS_PER_TICK = 10;
const TICK_MS = 50;
/** 20 s with a kill every 4 s; a longer run by hand: `STREAM_TEST_SECONDS=300 STREAM_TEST_KILL_SECONDS=30`. */
const TICKS = (Number(process.env.STREAM_TEST_SECONDS ?? 20) * 1_000) / TICK_MS;
const KILLED_EVERY_TICKS = (Number(process.env.STREAM_TEST_KILL_SECONDS ?? 4) * 1_000) / TICK_MS;
const TOPICS = Array.from({ length: 20 }, (_, number) => `topic${number}`);

/** A stream like Jetstream's: it sends again what a connection has missed since its cursor. */
class StreamServer {
  readonly log: { time_us: number; text: string }[] = [];
  readonly emittedAt = new Map<string, number>();
  mostConnections = 0;
  private readonly server = new WebSocketServer({ port: 0, host: '127.0.0.1' });

  constructor() {
    this.server.on('connection', (socket: WebSocket, request: IncomingMessage) => {
      this.mostConnections = Math.max(this.mostConnections, this.server.clients.size);
      const cursor = Number(new URL(request.url!, 'http://stream').searchParams.get('cursor'));
      for (const { time_us, text } of this.log) if (time_us >= cursor) socket.send(text);
    });
  }

  get url(): string {
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  emit(number: number, tag: string): void {
    const time_us = Date.now() * 1_000;
    const facets = [{ features: [{ $type: 'app.bsky.richtext.facet#tag', tag }] }];
    const record = { text: `#${tag}`, facets, createdAt: new Date().toISOString() };
    const commit = { operation: 'create', collection: 'app.bsky.feed.post', rkey: `k${number}`, record };
    const text = JSON.stringify({ did: 'did:plc:writer', time_us, kind: 'commit', commit });
    this.log.push({ time_us, text });
    this.emittedAt.set(`bs_did:plc:writer_k${number}`, time_us / 1_000);
    for (const socket of this.server.clients) socket.send(text);
  }

  close(): void {
    for (const socket of this.server.clients) socket.terminate();
    this.server.close();
  }
}

describe('a stream whose reader is killed while events arrive', () => {
  let database: TestDatabase;
  let dataSource: DataSource;
  const server = new StreamServer();
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    dataSource = await openDataSource(database.url, { poolSize: 2 });
    const streams = new StreamsRepository(dataSource);
    for (const topic of TOPICS) await streams.want(randomUUID(), 'bluesky', topic);
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    server.close();
    await dataSource.destroy();
    await database.drop();
  });

  const startReader = async (): Promise<ChildProcess> => {
    const child = fork(join(import.meta.dirname, 'stream-reader-process.js'), [database.url, server.url], {
      execArgv: [],
    });
    children.push(child);
    await once(child, 'message');
    return child;
  };
  const stored = async (): Promise<string[]> =>
    (await dataSource.query<{ id: string }[]>('SELECT id FROM stream_posts ORDER BY position')).map(
      ({ id }) => id,
    );

  it(
    'loses nothing, stores nothing twice, and keeps one connection',
    async () => {
      const expected: string[] = [];
      // One reads, the other waits for the lease.
      const readers = [await startReader(), await startReader()];
      let kills = 0;
      let restarts: Promise<void> = Promise.resolve();
      for (let tick = 0; tick < TICKS; tick += 1) {
        for (let index = 0; index < EVENTS_PER_TICK; index += 1) {
          const number = tick * EVENTS_PER_TICK + index;
          const isWanted = number % 4 > 0;
          server.emit(number, isWanted ? TOPICS[number % TOPICS.length]! : 'other');
          if (isWanted) expected.push(`bs_did:plc:writer_k${number}`);
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
      expect(server.mostConnections).toBe(1);
      const rows = await dataSource.query<{ id: string; at: Date }[]>(
        'SELECT id, seen_at AS at FROM stream_posts',
      );
      const delays = rows.map(({ id, at }) => at.getTime() - server.emittedAt.get(id)!).sort((a, b) => a - b);
      const p95 = delays[Math.floor(delays.length * 0.95)]!;
      process.stderr.write(
        `${rows.length} events, ${kills} kills, p95 ${p95} ms, most ${delays.at(-1)!} ms\n`,
      );
    },
    TICKS * TICK_MS * 2 + 60_000,
  );
});
