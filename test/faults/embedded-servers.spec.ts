import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import pg from 'pg';
import { runningServers } from '../../src/launcher/embedded-servers.js';
import { clearLeftovers } from '../../src/launcher/postgres-cluster.js';
import { Watchdog } from '../../src/launcher/watchdog-client.js';
import { signal, startOfProcess } from '../../src/launcher/process-identity.js';
import { onLinux } from '../support/skip-unless.js';
import { until } from '../support/until.js';
import { temporaryFolder } from '../support/temporary-folder.js';

interface Run {
  child: ChildProcess;
  databaseUrl: string;
  redisUrl: string;
  watchdog: number;
  stderr(): string;
}

let folder: string;
let dataDir: string;
const children: ChildProcess[] = [];
const watchdog = Watchdog.start();

function launch(): { child: ChildProcess; stderr(): string } {
  const program = join(import.meta.dirname, '../support/embedded-run.js');
  const child = spawn(process.execPath, [program, dataDir], { stdio: ['pipe', 'pipe', 'pipe'] });
  children.push(child);
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return { child, stderr: () => stderr };
}

async function start(): Promise<Run> {
  const { child, stderr } = launch();
  for await (const line of createInterface({ input: child.stdout! }))
    return { child, stderr, ...(JSON.parse(line) as Pick<Run, 'databaseUrl' | 'redisUrl' | 'watchdog'>) };
  throw new Error(`It did not start: ${stderr()}`);
}

async function end(child: ChildProcess, by: NodeJS.Signals): Promise<number | null> {
  const exit = once(child, 'exit') as Promise<[number | null]>;
  child.kill(by);
  return (await exit)[0];
}

async function serverPids(): Promise<{ postgres: number; redis: number }> {
  const postmaster = await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8');
  const redis = JSON.parse(await readFile(join(dataDir, 'redis/process.json'), 'utf8')) as { pid: number };
  return { postgres: Number(postmaster.split('\n')[0]), redis: redis.pid };
}

async function processGroup(pid: number): Promise<number> {
  return Number((await promisify(execFile)('ps', ['-o', 'pgid=', '-p', String(pid)])).stdout);
}

const gone = (...pids: number[]) =>
  until(async () => (await Promise.all(pids.map(startOfProcess))).every((found) => found === null));

async function query(url: string, text: string): Promise<object[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<object>(text)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function ping(url: string): Promise<string> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await client.ping();
  } finally {
    client.disconnect();
  }
}

beforeAll(async () => {
  folder = await temporaryFolder();
  dataDir = join(folder, 'data');
  watchdog.removeAtEnd(folder);
});

afterAll(async () => {
  for (const child of children)
    if (child.exitCode === null && child.signalCode === null) await end(child, 'SIGTERM');
  await watchdog.close();
});

// The cases share one folder and run in this order.
describe('embedded servers', () => {
  it('serve, keep their addresses private, and stop with the service', async () => {
    const run = await start();
    await query(run.databaseUrl, 'CREATE TABLE kept (day int)');
    expect(await ping(run.redisUrl)).toBe('PONG');
    expect((await stat(join(dataDir, 'servers.json'))).mode & 0o777).toBe(0o600);
    expect((await stat(join(dataDir, 'postgres.password'))).mode & 0o777).toBe(0o600);
    const { databaseUrl, redisUrl } = run;
    expect(await runningServers(dataDir)).toMatchObject({ databaseUrl, redisUrl });

    const wrong = new URL(run.databaseUrl);
    wrong.password = 'wrong';
    await expect(query(wrong.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
    await expect(ping(run.redisUrl.replace(/:[^:@]+@/, ':wrong@'))).rejects.toThrow();

    const { postgres, redis } = await serverPids();
    // Otherwise Ctrl-C in a terminal would end them together with the service, whose requests still need them.
    for (const pid of [postgres, redis]) expect(await processGroup(pid)).toBe(pid);
    expect(await end(run.child, 'SIGTERM')).toBe(0);
    await gone(postgres, redis, run.watchdog);
    expect(await runningServers(dataDir)).toBeNull();
  });

  it('refuse a second start, naming the process that uses the folder', async () => {
    const run = await start();
    const second = launch();
    const [code] = (await once(second.child, 'exit')) as [number];
    expect(code).toBe(1);
    expect(second.stderr()).toContain(`process ${run.child.pid}`);
    expect(second.stderr()).toContain('DATA_DIR=');
    expect(await query(run.databaseUrl, 'SELECT * FROM kept')).toEqual([]);
    await end(run.child, 'SIGTERM');
  });

  onLinux().it('are refused to a container that shares the folder', async () => {
    const run = await start();
    // In another container the recorded process id has no meaning.
    const lock = join(dataDir, 'service.lock');
    await writeFile(lock, JSON.stringify({ pid: 2 ** 22 - 1, startedAt: 'another container' }));
    const second = launch();
    const [code] = (await once(second.child, 'exit')) as [number];
    expect(code).toBe(1);
    expect(second.stderr()).toContain('another container');
    expect(await query(run.databaseUrl, 'SELECT * FROM kept')).toEqual([]);
    await end(run.child, 'SIGTERM');
  });

  it('end when the service is killed, and keep their data', async () => {
    const run = await start();
    await query(run.databaseUrl, 'INSERT INTO kept VALUES (1)');
    const { postgres, redis } = await serverPids();
    await end(run.child, 'SIGKILL');
    await gone(postgres, redis, run.watchdog);

    const again = await start();
    expect(await query(again.databaseUrl, 'SELECT * FROM kept')).toEqual([{ day: 1 }]);
    await end(again.child, 'SIGTERM');
  });

  it('start again after everything was killed at the same time', async () => {
    const run = await start();
    await query(run.databaseUrl, 'INSERT INTO kept VALUES (2)');
    const { postgres, redis } = await serverPids();
    for (const pid of [run.watchdog, run.child.pid!, postgres, redis]) signal(pid, 'SIGKILL');
    await gone(postgres, redis, run.watchdog);
    // The process id of the killed Postgres may by now belong to another program.
    const pidFile = join(dataDir, 'postgres/postmaster.pid');
    await writeFile(pidFile, (await readFile(pidFile, 'utf8')).replace(/^\d+/, String(process.pid)));

    const again = await start();
    expect(await query(again.databaseUrl, 'SELECT * FROM kept')).toEqual([{ day: 1 }, { day: 2 }]);
    await end(again.child, 'SIGTERM');
  });

  it('left running by a killed service are stopped by the next start', async () => {
    const run = await start();
    const left = await serverPids();
    signal(run.watchdog, 'SIGKILL');
    await end(run.child, 'SIGKILL');
    expect(await ping(run.redisUrl)).toBe('PONG');

    const again = await start();
    await gone(left.postgres, left.redis);
    expect(again.stderr()).toContain(`process ${left.postgres}`);
    expect(await query(again.databaseUrl, 'SELECT count(*)::int AS n FROM kept')).toEqual([{ n: 2 }]);
    await end(again.child, 'SIGTERM');
  });

  it('do not stop other programs that work in the folder of the cluster', async () => {
    const clusterDir = join(dataDir, 'postgres');
    const editor = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', 'postgresql.conf'], {
      cwd: clusterDir,
      stdio: 'ignore',
    });
    children.push(editor);
    await once(editor, 'spawn');
    await clearLeftovers(clusterDir, () => undefined);
    expect(editor.exitCode ?? editor.signalCode).toBeNull();
    await end(editor, 'SIGKILL');
  });

  it('that outlived their Postgres are ended before the next one starts', async () => {
    const program = join(folder, 'postgres');
    await copyFile(process.execPath, program);
    const orphan = spawn(program, ['-e', 'setInterval(() => {}, 1000)'], {
      cwd: join(dataDir, 'postgres'),
      stdio: 'ignore',
    });
    children.push(orphan);
    await once(orphan, 'spawn');
    await clearLeftovers(join(dataDir, 'postgres'), () => undefined);
    expect(orphan.exitCode ?? orphan.signalCode).not.toBeNull();
  });

  it('are restarted at the same address when they end by themselves', async () => {
    const run = await start();
    const { postgres, redis } = await serverPids();
    signal(postgres, 'SIGKILL');
    signal(redis, 'SIGKILL');
    await gone(postgres, redis);
    const answers = (attempt: Promise<unknown>) =>
      attempt.then(
        () => true,
        () => false,
      );
    await until(() => answers(query(run.databaseUrl, 'SELECT * FROM kept')));
    await until(() => answers(ping(run.redisUrl)));
    await end(run.child, 'SIGTERM');
  });
});
