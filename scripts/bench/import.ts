import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { withOperatorTools } from '../../src/cli/operator-context.js';
import { parseEnvironment } from '../../src/config/environment.js';
import { columnsOf } from '../../src/database/entity-columns.js';
import { migrate } from '../../src/database/run-migrations.js';
import { PostRecord } from '../../src/content/posts/post.entity.js';
import { startSandbox } from '../../src/sandbox/server/sandbox.js';
import { benchServers } from './support/servers.js';

const POSTS = 40_000;
const ROUNDS = 3;
const MEMORY_POLL_MS = 50;
const COMMAND = join(import.meta.dirname, '../../src/cli/import.js');

/**
 * Rows a second of an import of a zstd dump, compared with COPY of the same rows and with an import with analysis, and the
 * importer's memory.
 */
export async function run(): Promise<Record<string, unknown>> {
  const { databaseUrl } = await benchServers();
  await migrate(databaseUrl);
  const folder = await mkdtemp(join(tmpdir(), 'bench-import-'));
  const file = join(folder, 'RS_2026-10.zst');
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await writeDump(file);
    const { workspaceId } = await withOperatorTools(
      parseEnvironment({ DATABASE_URL: databaseUrl }),
      ({ workspaces }) => workspaces.create('bench'),
    );
    const rounds: { share: number; analyzed: number; rows: number; memory: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await empty(client);
      const { rowsPerSecond, memoryMb } = await importDump(databaseUrl, workspaceId, file);
      const copied = await copyAgain(client);
      await empty(client);
      const analyzed = await importDump(databaseUrl, workspaceId, file, ['--analyze']);
      rounds.push({
        share: rowsPerSecond / copied,
        analyzed: analyzed.rowsPerSecond / rowsPerSecond,
        rows: rowsPerSecond,
        memory: memoryMb,
      });
    }
    return {
      posts: POSTS,
      rowsPerSecond: rounds.map(({ rows }) => Math.round(rows)),
      shareOfCopy: rounds.map(({ share }) => Math.round(share * 100) / 100),
      shareWithAnalysis: rounds.map(({ analyzed }) => Math.round(analyzed * 100) / 100),
      memoryMb: Math.max(...rounds.map(({ memory }) => memory)),
    };
  } finally {
    await client.end();
    await rm(folder, { recursive: true });
  }
}

/** A dump of the synthetic platform's archive, compressed by the `zstd` command. */
async function writeDump(file: string): Promise<void> {
  const sandbox = await startSandbox({ forums: { technology: { posts: POSTS } } });
  const zstd = spawn('zstd', ['-q', '-c', '--ultra', '--long=31'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const packed = pipeline(zstd.stdout, createWriteStream(file));
  let before = '';
  for (let written = 0; written < POSTS;) {
    const address = `${sandbox.baseUrl}/archive/api/posts/search?subreddit=technology&limit=100&sort=desc${before}`;
    const { data } = (await (await fetch(address)).json()) as { data: { created_utc: number }[] };
    if (data.length === 0) break;
    zstd.stdin.write(data.map((row) => `${JSON.stringify(row)}\n`).join(''));
    written += data.length;
    before = `&before=${data.at(-1)!.created_utc}`;
  }
  zstd.stdin.end();
  await packed;
  await sandbox.close();
}

async function importDump(
  databaseUrl: string,
  workspaceId: string,
  file: string,
  options: readonly string[] = [],
): Promise<{ rowsPerSecond: number; memoryMb: number }> {
  const given = ['--workspace', workspaceId, '--file', file, '--json', ...options];
  const child = spawn(process.execPath, [COMMAND, ...given], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let memoryMb = 0;
  const timer = setInterval(() => {
    void readFile(`/proc/${child.pid}/status`, 'utf8').then(
      (status) => (memoryMb = Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024)),
      () => undefined,
    );
  }, MEMORY_POLL_MS);
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  clearInterval(timer);
  const { rows_per_second: rowsPerSecond } = JSON.parse(output) as { rows_per_second: number };
  return { rowsPerSecond, memoryMb };
}

async function empty(client: pg.Client): Promise<void> {
  await client.query('TRUNCATE posts, dump_imports CASCADE');
  await client.query('CHECKPOINT');
}

/** Rows a second of COPY into the emptied table. */
async function copyAgain(client: pg.Client): Promise<number> {
  const columns = columnsOf(PostRecord)
    .filter(({ isWritten }) => isWritten)
    .map(({ name }) => name)
    .join(', ');
  const rows = await text(client.query(copyTo(`COPY posts (${columns}) TO STDOUT`)));
  await empty(client);
  const began = performance.now();
  await pipeline(Readable.from([rows]), client.query(copyFrom(`COPY posts (${columns}) FROM STDIN`)));
  return rows.split('\n').length / ((performance.now() - began) / 1_000);
}
