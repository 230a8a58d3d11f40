import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { EXPENSIVE_REQUESTS } from './soak-bodies.js';

/** A workspace and one of its keys. */
export interface Tenant {
  workspaceId: string;
  apiKey: string;
}

/** Numbers of responses by attack, then by status and problem code; `0` counts requests without a response. */
export type AttackReport = Record<string, Record<string, number>>;

const REQUEST_TIMEOUT_MS = 10_000;
const JOBS = 600;
const WEBHOOKS = 3_000;
const ALERTS = 1_000;
const SEARCHERS = 20;
const SLOW_READERS = 30;
const FLOODERS = 8;
/** Pause between two of the attackers' own legitimate requests. */
const HONEST_EVERY_MS = 500;

/** The parameters that all attacks share. */
interface Attack {
  base: string;
  hostile: readonly Tenant[];
  /** When it ends, in milliseconds since the epoch. */
  end: number;
  count: (name: string, outcome: string) => void;
}

/** Attacks by name. */
const ATTACKS = {
  searches: (attack: Attack) => {
    const [searcher] = attack.hostile as [Tenant];
    return Array.from({ length: SEARCHERS }, async () => {
      while (Date.now() < attack.end)
        await send(attack, 'searches', searcher, { path: '/posts?q=-zzz&sort_by=relevance' });
    });
  },
  // Every sixth job fails, because its target is not a valid forum name.
  jobs: (attack: Attack) =>
    flood(attack, JOBS, (number) =>
      send(attack, 'jobs', attack.hostile[1]!, {
        path: '/jobs',
        body: { target: number % 6 === 0 ? 'no such name' : 'technology', limit: 1_000 },
      }),
    ),
  webhooks: (attack: Attack) => [
    (async () => {
      // Accepts connections and never responds.
      const hanging = createServer(() => undefined).listen(0, '127.0.0.1');
      await once(hanging, 'listening');
      const url = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}/`;
      await Promise.all(
        flood(attack, WEBHOOKS, (number) =>
          send(attack, 'webhooks', attack.hostile[1]!, {
            path: '/webhooks',
            body: { url: `${url}${number}`, events: ['job.completed', 'job.failed'] },
          }),
        ),
      );
      await Promise.all(
        flood(attack, JOBS, () =>
          send(attack, 'webhooks', attack.hostile[1]!, { path: '/jobs', body: { target: 'no such name' } }),
        ),
      );
      await sleep(Math.max(0, attack.end - Date.now()));
      hanging.closeAllConnections();
      hanging.close();
    })(),
  ],
  alerts: (attack: Attack) =>
    flood(attack, ALERTS, (number) =>
      send(attack, 'alerts', attack.hostile[2]!, {
        path: '/alerts',
        body: {
          name: `Alert ${number}`,
          keywords: Array.from({ length: 100 }, (_, keyword) => `word${number}x${keyword}`),
          forums: Array.from({ length: 100 }, (_, forum) => `forum${forum}`),
        },
      }),
    ),
  bodies: (attack: Attack) => [
    (async () => {
      for (; Date.now() < attack.end; await sleep(200))
        for (const [name, { path, body, headers, withKey }] of Object.entries(EXPENSIVE_REQUESTS))
          await send(attack, `bodies: ${name}`, attack.hostile[0]!, { path, body, headers, withKey });
    })(),
  ],
  readers: (attack: Attack) =>
    Array.from({ length: SLOW_READERS }, (_, number) => {
      const { workspaceId, apiKey } = attack.hostile[2]!;
      const resource = number % 2 === 0 ? '/exports/posts?format=json' : '/posts?limit=200';
      return readSlowly(
        attack.base,
        `/api/v1/workspaces/${workspaceId}${resource}`,
        apiKey,
        attack.end,
        (status) => attack.count('readers', String(status)),
      );
    }),
} satisfies Record<string, (attack: Attack) => Promise<void>[]>;

/** Name of an attack. */
export type AttackName = keyof typeof ATTACKS;

/** The names of all attacks. */
export const ATTACK_NAMES = Object.keys(ATTACKS) as AttackName[];

/** Which attacks to run, and for how long. There are three hostile workspaces. */
export interface AttackOrder {
  base: string;
  hostile: readonly Tenant[];
  names: readonly AttackName[];
  durationMs: number;
}

/** Attacks the service for `durationMs`; counts every request by attack and outcome. */
export async function attack({ base, hostile, names, durationMs }: AttackOrder): Promise<AttackReport> {
  const report: AttackReport = {};
  const order: Attack = {
    base,
    hostile,
    end: Date.now() + durationMs,
    count: (name, outcome) => {
      const outcomes = (report[name] ??= {});
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    },
  };
  const honest = hostile.map(async (tenant) => {
    for (; Date.now() < order.end; await sleep(HONEST_EVERY_MS))
      await send(order, 'honest work of attackers', tenant, { path: '/jobs?limit=1' });
  });
  await Promise.all([...names.flatMap((name) => ATTACKS[name](order)), ...honest]);
  return report;
}

interface Sent {
  path: string;
  body?: object | Buffer;
  headers?: Record<string, string>;
  withKey?: boolean;
}

/** Sends a request (a POST when it has a body) and counts it by status, problem code and whether a remedy is given. */
async function send(
  { base, count }: Attack,
  name: string,
  tenant: Tenant,
  { path, body, headers, withKey = true }: Sent,
): Promise<void> {
  try {
    const answer = await fetch(`${base}/api/v1/workspaces/${tenant.workspaceId}${path}`, {
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      headers: {
        ...(withKey && { 'X-API-Key': tenant.apiKey }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && {
        method: 'POST',
        body: Buffer.isBuffer(body) ? body : JSON.stringify(body),
      }),
    });
    const text = await answer.text();
    if (answer.status < 400) {
      count(name, String(answer.status));
      return;
    }
    const { code, detail } = JSON.parse(text) as { code: string; detail: string };
    const isTemporary = answer.status === 429 || answer.status === 503;
    const hasRemedy = isTemporary ? answer.headers.has('retry-after') : detail !== '';
    count(name, `${answer.status} ${code}${hasRemedy ? '' : ' without a remedy'}`);
  } catch {
    count(name, '0');
  }
}

/** Sends `total` requests, {@link FLOODERS} at a time, until the end. */
function flood({ end }: Attack, total: number, request: (number: number) => Promise<void>): Promise<void>[] {
  let next = 0;
  return Array.from({ length: FLOODERS }, async () => {
    for (let number = next++; number < total && Date.now() < end; number = next++) await request(number);
  });
}

/** Sends a request and reads its response at about a kilobyte a second until the end. */
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
