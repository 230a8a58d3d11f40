import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { columnsOf } from '../../src/database/entity-columns.js';
import { PostRecord } from '../../src/content/posts/post.entity.js';
import { startSandbox } from '../../src/sandbox/server/sandbox.js';
import { Bench } from './support/harness.js';
import { inTurns, peakDuring, rounded, secondsOf } from './support/measure.js';
import { resourcesOf } from './support/resources.js';

const POSTS = 40_000;
const ROUNDS = 3;
const COMMAND = join(import.meta.dirname, '../../src/cli/import.js');
const COLUMNS = columnsOf(PostRecord)
  .filter(({ isWritten }) => isWritten)
  .map(({ name }) => name)
  .join(', ');

/**
 * Rows a second of an import of a zstd dump, compared with COPY of the same rows and with an import with analysis, and the
 * importer's memory.
 */
export function run(): Promise<Record<string, unknown>> {
  return Bench.run(async (bench) => {
    const file = join(bench.dataDir, 'RS_2026-10.zst');
    const client = await bench.client();
    await writeDump(file);
    const { workspaceId } = await bench.workspace();
    let memoryMb = 0;
    const importDump = async (...options: string[]): Promise<number> => {
      await empty(client);
      const given = ['--workspace', workspaceId, '--file', file, '--json', ...options];
      const child = spawn(process.execPath, [COMMAND, ...given], {
        env: { ...process.env, DATABASE_URL: bench.databaseUrl },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const { result, peak } = await peakDuring(
        () => resourcesOf(child.pid!).peakRssMb,
        () => Promise.all([text(child.stdout), once(child, 'exit')]),
      );
      if (options.length === 0) memoryMb = Math.max(memoryMb, peak);
      return (JSON.parse(result[0]) as { rows_per_second: number }).rows_per_second;
    };
    const rates = await inTurns(ROUNDS, {
      imported: () => importDump(),
      copied: () => copyAgain(client),
      analyzed: () => importDump('--analyze'),
    });
    return {
      posts: POSTS,
      rowsPerSecond: rates.imported.map(Math.round),
      shareOfCopy: rates.imported.map((rate, round) => rounded(rate / rates.copied[round]!)),
      shareWithAnalysis: rates.analyzed.map((rate, round) => rounded(rate / rates.imported[round]!)),
      memoryMb,
    };
  });
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

async function empty(client: pg.Client): Promise<void> {
  await client.query('TRUNCATE posts, dump_imports CASCADE');
  await client.query('CHECKPOINT');
}

/** Rows a second of COPY of all posts into the emptied table. */
async function copyAgain(client: pg.Client): Promise<number> {
  const rows = await text(client.query(copyTo(`COPY posts (${COLUMNS}) TO STDOUT`)));
  await empty(client);
  const copying = client.query(copyFrom(`COPY posts (${COLUMNS}) FROM STDIN`));
  return rows.split('\n').length / (await secondsOf(() => pipeline(Readable.from([rows]), copying)));
}
