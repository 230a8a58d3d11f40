import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

/** A workspace and one of its keys. */
export interface Tenant {
  workspaceId: string;
  apiKey: string;
}

/** Answers by attack and status; 0 counts requests without an answer. */
export type AttackReport = Record<string, Record<number, number>>;

const REQUEST_TIMEOUT_MS = 20_000;
const JOBS = 600;
const WEBHOOKS = 3_000;
const SEARCHERS = 20;
const SLOW_READERS = 30;
const FLOODERS = 8;

/** Attacks the service for `durationMs`; every request of every attack is counted by its status. */
async function attack(base: string, hostile: readonly Tenant[], durationMs: number): Promise<AttackReport> {
  const end = Date.now() + durationMs;
  const report: AttackReport = {};
  const count = (name: string, status: number): void => {
    const statuses = (report[name] ??= {});
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  const urlOf = (tenant: Tenant, path: string): string =>
    `${base}/api/v1/workspaces/${tenant.workspaceId}${path}`;
  const send = async (name: string, url: string, init: RequestInit): Promise<void> => {
    try {
      const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
      await answer.arrayBuffer();
      count(name, answer.status);
    } catch {
      count(name, 0);
    }
  };
  const post = (name: string, tenant: Tenant, path: string, body: object): Promise<void> =>
    send(name, urlOf(tenant, path), {
      method: 'POST',
      headers: { 'X-API-Key': tenant.apiKey, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const [searcher, flooder, reader] = hostile as [Tenant, Tenant, Tenant];

  /** A receiver that accepts connections and never answers. */
  const hanging = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(hanging, 'listening');
  const hangingUrl = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}/`;

  /** Sends `total` requests, {@link FLOODERS} at a time, until the end. */
  const flood = (total: number, request: (number: number) => Promise<void>): Promise<void>[] => {
    let next = 0;
    return Array.from({ length: FLOODERS }, async () => {
      for (let number = next++; number < total && Date.now() < end; number = next++) await request(number);
    });
  };

  const attacks = [
    ...Array.from({ length: SEARCHERS }, async () => {
      while (Date.now() < end)
        await send('search', urlOf(searcher, '/posts?q=-zzz&sort_by=relevance'), {
          headers: { 'X-API-Key': searcher.apiKey },
        });
    }),
    ...flood(WEBHOOKS, (number) =>
      post('webhooks', flooder, '/webhooks', {
        url: `${hangingUrl}${number}`,
        events: ['job.completed', 'job.failed'],
      }),
    ),
    // Every sixth job fails, because no forum can have its name.
    ...flood(JOBS, (number) =>
      post('jobs', flooder, '/jobs', {
        target: number % 6 === 0 ? 'no such name' : 'technology',
        limit: 1_000,
      }),
    ),
    (async () => {
      const nested = gzipSync(nestedBody(31, 80_000));
      const dotted = gzipSync(`{"${'.'.repeat(3_000)}":${'['.repeat(20)}${']'.repeat(20)}}`);
      for (; Date.now() < end; await sleep(200))
        for (const body of [nested, dotted])
          await send('gzip without key', urlOf(searcher, '/jobs'), {
            method: 'POST',
            headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
            body,
          });
    })(),
    (async () => {
      const plugins = Array.from({ length: 28_000 }, (_, number) => `p${number}`);
      const keywords = Array.from({ length: 28_000 }, (_, number) => `w${number}`);
      for (; Date.now() < end; await sleep(500)) {
        await post('many plugins', searcher, '/jobs', { target: 'technology', plugins });
        await post('many keywords', searcher, '/alerts/preview', { keywords });
      }
    })(),
    ...Array.from({ length: SLOW_READERS }, (_, number) =>
      readSlowly(
        base,
        `/api/v1/workspaces/${reader.workspaceId}${number % 2 === 0 ? '/exports/posts?format=json' : '/posts?limit=200'}`,
        reader.apiKey,
        end,
        (status) => count('slow reader', status),
      ),
    ),
  ];
  await Promise.all(attacks);
  hanging.closeAllConnections();
  hanging.close();
  return report;
}

/** Nested objects with long keys around an array of empty arrays: expensive to walk, a few hundred bytes compressed. */
function nestedBody(depth: number, leaves: number): string {
  const key = 'k'.repeat(99);
  return `${`{"${key}":`.repeat(depth)}[${Array.from({ length: leaves }, () => '[]').join(',')}]${'}'.repeat(depth)}`;
}

/** Sends a request and reads its answer at about a kilobyte a second until the end. */
function readSlowly(
  base: string,
  path: string,
  apiKey: string,
  end: number,
  onStatus: (status: number) => void,
): Promise<void> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve) => {
    let status = 0;
    const socket = connect({ host: hostname, port: Number(port) }, () =>
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nX-API-Key: ${apiKey}\r\n\r\n`),
    );
    socket.pause();
    const timer = setInterval(() => {
      const chunk = socket.read(1_024) as Buffer | null;
      if (status === 0 && chunk !== null)
        status = Number(/^HTTP\/1\.1 (\d+)/.exec(chunk.toString('latin1'))?.[1]);
      if (Date.now() > end) socket.destroy();
    }, 1_000);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(timer);
      onStatus(status);
      resolve();
    });
  });
}

process.once('message', (order: { base: string; hostile: Tenant[]; durationMs: number }) => {
  void attack(order.base, order.hostile, order.durationMs).then((report) => process.send?.(report));
});
