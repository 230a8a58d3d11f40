import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { endProcess, type ProcessIdentity } from './end-process.js';
import type { EmbeddedServer, EmbeddedServerOptions } from './embedded-postgres.js';
import { freePort } from './free-port.js';
import { isRunning } from './process-identity.js';
import { requireRedis } from './redis-binary.js';
import { supervise } from './supervisor.js';
import { RANK } from './watchdog-client.js';

const READY_TIMEOUT_MS = 15_000;
const PING_TIMEOUT_MS = 2_000;
const POLL_MS = 20;
const PORT_ATTEMPTS = 3;
const ENDING_STEPS = [{ signal: 'SIGTERM', waitMs: 5_000 }] as const;
const IDENTITY_FILE = 'process.json';

/**
 * Starts a private Redis on a free loopback port. It stores nothing on disk, because all of its data can be rebuilt
 * from Postgres.
 */
export async function startEmbeddedRedis(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const program = await requireRedis(options.log);
  const folder = join(options.dataDir, 'redis');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const password = randomBytes(24).toString('hex');
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    try {
      const supervised = await supervise({
        ...options,
        name: 'Redis',
        rank: RANK.server,
        endingSteps: ENDING_STEPS,
        spawn: async () => {
          await clearLeftover(folder, options.log);
          return spawnRedis(program, folder, redisConfiguration(port, password));
        },
        started: (identity) => writeFile(join(folder, IDENTITY_FILE), JSON.stringify(identity)),
        ready: (signal) => untilReady(port, password, signal),
        onGaveUp: options.onLost,
      });
      return { url: `redis://:${password}@127.0.0.1:${port}`, stop: () => supervised.stop() };
    } catch (error) {
      if (attempt >= PORT_ATTEMPTS) throw error;
    }
  }
}

/**
 * The configuration that Redis reads from standard input, so that the password appears in no file and no command line.
 */
export function redisConfiguration(port: number, password: string): string {
  return [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    'save ""',
    'appendonly no',
    // Out of memory must be an error: with another policy Redis would silently drop queue entries.
    'maxmemory-policy noeviction',
    'databases 1024',
    '',
  ].join('\n');
}

const identity = z.object({ pid: z.number(), startedAt: z.string() });

/** Stops the Redis that a killed service left behind; its recorded start time identifies it. */
async function clearLeftover(folder: string, log: (line: string) => void): Promise<void> {
  const text = await readFile(join(folder, IDENTITY_FILE), 'utf8').catch(() => '');
  const leftover = parseIdentity(text);
  if (leftover === null || !(await isRunning(leftover.pid, leftover.startedAt))) return;
  log(`A Redis of an earlier service (process ${leftover.pid}) is still running; stopping it`);
  await endProcess(leftover, ENDING_STEPS);
}

function parseIdentity(text: string): ProcessIdentity | null {
  try {
    return identity.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

function spawnRedis(program: string, folder: string, configuration: string): ChildProcess {
  const sink = openSync(join(folder, 'redis.log'), 'w', 0o600);
  try {
    const child = spawn(program, ['-'], {
      argv0: 'redis-server',
      detached: true,
      cwd: folder,
      stdio: ['pipe', sink, sink],
      env: { PATH: process.env.PATH },
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(configuration);
    return child;
  } finally {
    closeSync(sink);
  }
}

async function untilReady(port: number, password: string, ended: AbortSignal): Promise<void> {
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while (performance.now() < deadline) {
    ended.throwIfAborted();
    if (await answersPing(port, password)) return;
    await sleep(POLL_MS, undefined, { signal: ended }).catch(() => undefined);
  }
  throw new Error(`Redis does not respond after ${READY_TIMEOUT_MS / 1_000} s`);
}

/** Uses Redis's inline protocol, because loading a client takes longer than Redis takes to start. */
async function answersPing(port: number, password: string): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port, timeout: PING_TIMEOUT_MS });
  try {
    return await new Promise<boolean>((resolve) => {
      let text = '';
      socket.setEncoding('latin1').on('data', (chunk: string) => {
        text += chunk;
        if (text.includes('+PONG')) resolve(true);
        else if (text.includes('-')) resolve(false);
      });
      for (const end of ['error', 'timeout', 'close'] as const) socket.on(end, () => resolve(false));
      socket.write(`AUTH ${password}\r\nPING\r\n`);
    });
  } finally {
    socket.destroy();
  }
}
