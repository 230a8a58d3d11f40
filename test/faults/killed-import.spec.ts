import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { DataSource } from 'typeorm';
import { startTestApplication, type TestWorkspace } from '../support/application.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const IMPORT = join(import.meta.dirname, '../../src/cli/import.js');
const LINES = 40_000;
const SIGNALS = 3;

/** Random numbers in [0, 1), the same in every run. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

function line(number: number): string {
  if (number % 97 === 0) return '{"damaged": ';
  const at = { author: `author${number % 50}`, created_utc: 1_700_000_000 + number };
  if (number % 3 === 0)
    return JSON.stringify({
      ...at,
      id: `c${number.toString(36)}`,
      // Replies refer to comments several batches back.
      parent_id: number < 3_000 ? 't3_1' : `t1_c${(number - 2_997).toString(36)}`,
      link_id: 't3_1',
      body: `Body ${number}`,
    });
  return JSON.stringify({
    ...at,
    id: number.toString(36),
    subreddit: 'technology',
    title: `Title ${number}`,
  });
}

const service = await startTestApplication();
const dataSource = service.app.get(DataSource);
const folder = await temporaryFolder();

describe('an import that is killed at random moments', () => {
  let workspace: TestWorkspace;

  beforeEach(async () => {
    workspace = await service.createWorkspace();
  });

  const linesDone = async (workspaceId: string): Promise<number> => {
    const [row] = await dataSource.query<{ lines: string | null }[]>(
      'SELECT max(lines) AS lines FROM dump_imports WHERE workspace_id = $1',
      [workspaceId],
    );
    return Number(row?.lines ?? 0);
  };
  const waitsForPosts = async (): Promise<boolean> => {
    // Databases from one template have tables of the same numbers.
    const waiting = await dataSource.query<object[]>(
      `SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
       WHERE datname = current_database() AND relation = 'posts'::regclass AND NOT granted`,
    );
    return waiting.length > 0;
  };
  const start = (workspaceId: string, file: string, errors: 'inherit' | 'pipe' = 'inherit'): ChildProcess =>
    fork(IMPORT, ['--workspace', workspaceId, '--file', file, '--analyze', '--json'], {
      env: { ...process.env, DATABASE_URL: service.environment.DATABASE_URL, LOG_LEVEL: 'silent' },
      execArgv: [],
      stdio: ['ignore', 'pipe', errors, 'ipc'],
    });
  const complete = async (workspaceId: string, file: string): Promise<Record<string, number>> => {
    const child = start(workspaceId, file);
    let output = '';
    child.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()));
    expect(await once(child, 'close')).toEqual([0, null]);
    return JSON.parse(output) as Record<string, number>;
  };
  const content = async (workspaceId: string) =>
    (
      await dataSource.query<object[]>(
        `SELECT (SELECT md5(string_agg(md5((to_jsonb(posts) - 'workspace_id' - 'scraped_at')::text), '' ORDER BY id))
           FROM posts WHERE workspace_id = $1) AS posts,
         (SELECT md5(string_agg(md5((to_jsonb(comments) - 'workspace_id' - 'scraped_at')::text), '' ORDER BY id))
           FROM comments WHERE workspace_id = $1) AS comments`,
        [workspaceId],
      )
    )[0];

  it('ends with the same counts and rows as an undisturbed one', async () => {
    const lines = Array.from({ length: LINES }, (_one, at) => `${line(at + 1)}\n`).join('');
    const file = join(folder, 'RS_killed.gz');
    await writeFile(file, gzipSync(lines));
    const random = numbersFrom(20_261_122);
    const { workspaceId } = workspace;
    for (let kill = 1; kill <= 4; kill += 1) {
      const child = start(workspaceId, file);
      const from = Math.floor((LINES * (kill - random())) / 5);
      while ((await linesDone(workspaceId)) < from) await sleep(10);
      await sleep(random() * 100);
      child.kill('SIGKILL');
      await once(child, 'exit');
      expect(child.signalCode).toBe('SIGKILL');
    }
    const resumed = await complete(workspaceId, file);
    const whole = await service.createWorkspace();
    const alone = await complete(whole.workspaceId, file);
    const counts = ({ lines, posts, comments, damaged_lines: damaged }: Record<string, number>) => ({
      lines,
      posts,
      comments,
      damaged,
    });
    expect(counts(resumed)).toEqual(counts(alone));
    expect(alone).toMatchObject({ lines: LINES, damaged_lines: Math.floor(LINES / 97), existing: 0 });
    expect(await content(workspaceId)).toEqual(await content(whole.workspaceId));
  });

  it('shuts down cleanly when it is interrupted more than once', async () => {
    const file = join(folder, 'RS_interrupted.ndjson');
    await writeFile(file, Array.from({ length: LINES }, (_one, at) => `${line(at + 1)}\n`).join(''));
    // The command cannot end before all signals have arrived, because its first batch waits for this lock.
    const lock = dataSource.createQueryRunner();
    await lock.startTransaction();
    await lock.query('LOCK TABLE posts IN SHARE MODE');
    const child = start(workspace.workspaceId, file, 'pipe');
    const ended = once(child, 'exit');
    const errors = text(child.stderr!);
    while (!(await waitsForPosts())) await sleep(10);
    for (let signal = 0; signal < SIGNALS; signal += 1) {
      child.kill('SIGINT');
      // Signals that are sent at once arrive as one.
      await sleep(20);
    }
    await lock.rollbackTransaction();
    await lock.release();
    expect(await errors).toContain('Stopped; run the same command again to continue from here');
    expect(await ended).toEqual([130, null]);
  });
});
