import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DataSource } from 'typeorm';
import { TransactionRunner } from '../../src/database/transaction-runner.js';
import { DumpImportService, type ImportProgress } from '../../src/collect/imports/dump-import.service.js';
import { StoredAnalysis } from '../../src/collect/imports/stored-analysis.service.js';
import { UnanalyzedPostsRepository } from '../../src/content/posts/unanalyzed-posts.repository.js';
import { startTestApplication, type TestWorkspace } from '../support/application.js';
import { call } from '../support/client.js';
import { runJob } from '../support/jobs.js';
import { openSandbox, scrapingFrom } from '../support/sandbox.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const ANALYZE = join(import.meta.dirname, '../../src/cli/analyze-workspace.js');
const POSTS = 40;

const post = (number: number, title: string): object => ({
  id: number.toString(36),
  subreddit: 'technology',
  title,
  author: 'somebody',
  selftext: 'I love this great battery, because it works wonderfully.',
  created_utc: 1_700_000_000 + number,
});
const comment = (body: string): object => ({
  id: 'c',
  parent_id: 't3_1',
  link_id: 't3_1',
  body,
  author: 'somebody',
  created_utc: 1_700_000_000,
});

const folder = await temporaryFolder();
const sandbox = await openSandbox({ forums: { technology: { posts: POSTS, commentsPerPost: 5 } } });
const service = await startTestApplication(scrapingFrom(sandbox.baseUrl));

describe('the analysis of imported texts', () => {
  let workspace: TestWorkspace;

  beforeEach(async () => {
    workspace = await service.createWorkspace();
  });

  const run = async <T>(sql: string, ...given: unknown[]): Promise<T[]> =>
    service.app.get(DataSource).query<T[]>(sql, given);

  const write = async (rows: readonly object[]): Promise<string> => {
    const file = join(folder, 'dump.ndjson');
    await writeFile(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    return file;
  };
  /** Imports a dump; is stopped after the first batch when `stop` is given. */
  const importInto = (
    workspaceId: string,
    file: string,
    how: { analyze?: boolean; alerts?: boolean } = {},
    stop?: AbortController,
  ): Promise<ImportProgress> =>
    service
      .get(DumpImportService)
      .run(
        workspaceId,
        file,
        { forums: [], authors: [], analyze: false, alerts: false, ...how },
        () => stop?.abort(new Error('stopped')),
        (stop ?? new AbortController()).signal,
      );
  const analyze = (onProgress = (): void => undefined, signal = new AbortController().signal) =>
    service.get(StoredAnalysis).run(workspace.workspaceId, onProgress, signal);

  /** The results of all posts and comments, in the order of their ids. */
  const results = (workspaceId: string): Promise<{ id: string }[]> =>
    run(
      `SELECT id, language, sentiment_score, sentiment_label, keywords FROM posts WHERE workspace_id = $1
       UNION ALL SELECT comment_id, language, sentiment_score, sentiment_label, '{}' FROM comments
         WHERE workspace_id = $1 ORDER BY id`,
      workspaceId,
    );
  /** The transactions that wrote the rows. */
  const writes = (): Promise<object[]> =>
    run(
      `SELECT id, xmin::text FROM posts WHERE workspace_id = $1
       UNION ALL SELECT comment_id, xmin::text FROM comments WHERE workspace_id = $1 ORDER BY id`,
      workspace.workspaceId,
    );

  const archived = async (search: string): Promise<object[]> => {
    const response = await fetch(`${sandbox.baseUrl}/archive/api/${search}&limit=100&sort=desc`);
    return ((await response.json()) as { data: object[] }).data;
  };

  it('has the values of a scrape of the same rows', async () => {
    await runJob(service, workspace, { target: 'technology', mode: 'full', limit: POSTS });
    const scraped = await results(workspace.workspaceId);
    const posts = await archived('posts/search?subreddit=technology');
    const comments = await Promise.all(
      posts.map((row) => archived(`comments/search?link_id=t3_${(row as { id: string }).id}`)),
    );
    const other = await service.createWorkspace();
    await importInto(other.workspaceId, await write([...posts, ...comments.flat()]), { analyze: true });
    const imported = await results(other.workspaceId);
    expect(imported.length).toBeGreaterThan(2 * POSTS);
    const ids = new Set(scraped.map(({ id }) => id));
    expect(imported.filter(({ id }) => ids.has(id))).toEqual(scraped);
  });

  it('lets alerts match each new record once, also when it is interrupted', async () => {
    const { workspaceId } = workspace;
    await call(service, workspace, 'POST', '/alerts', {
      name: 'Alert',
      query: 'wonderful OR terrible',
      of: 'all',
      channel: 'chat_a',
      channel_config: { webhook_url: 'https://example.com/hook' },
    });
    await importInto(workspaceId, await write([post(1, 'A wonderful battery')]));
    const posts = Array.from({ length: 2_500 }, (_, at) => post(at + 1, `A wonderful battery ${at}`));
    const file = await write([...posts, comment('What a terrible battery')]);
    const stopped = importInto(workspaceId, file, { alerts: true }, new AbortController());
    await expect(stopped).rejects.toThrow('stopped');
    await importInto(workspaceId, file, { alerts: true });
    const jobs = await run<object>(
      `SELECT count(*)::int AS matches, count(DISTINCT job_id)::int AS jobs,
         (SELECT count(*)::int FROM outbox_events WHERE workspace_id = $1) AS events
       FROM alert_matches WHERE workspace_id = $1`,
      workspaceId,
    );
    expect(jobs).toEqual([{ matches: 2_500, jobs: 1, events: 2 }]);
  });

  it('can be done later, with the same values, also when it is stopped', async () => {
    const early = await service.createWorkspace();
    const posts = Array.from({ length: 1_500 }, (_, at) => post(at + 1, `An awful battery of ${at}`));
    const file = await write([...posts, comment('I hate this terrible battery, it is really bad.')]);
    await importInto(early.workspaceId, file, { analyze: true });
    await importInto(workspace.workspaceId, file);
    const stop = new AbortController();
    const stopped = analyze(() => stop.abort(new Error('stopped')), stop.signal);
    await expect(stopped).rejects.toThrow('stopped');
    expect(await analyze()).toEqual({ examined: 1_501, posts: 500, comments: 1 });
    expect(await results(workspace.workspaceId)).toEqual(await results(early.workspaceId));
  });

  it('changes nothing that has results, and nothing that can have none', async () => {
    const words = post(1, 'A wonderful battery');
    const file = await write([words, { ...post(2, '???'), selftext: '' }, comment('!!!')]);
    await importInto(workspace.workspaceId, file);
    expect(await analyze()).toEqual({ examined: 3, posts: 1, comments: 0 });
    const before = await writes();
    expect(await analyze()).toEqual({ examined: 3, posts: 0, comments: 0 });
    expect(await writes()).toEqual(before);
  });

  it('does not change a post that was stored again meanwhile', async () => {
    const { workspaceId } = workspace;
    const repository = service.get(UnanalyzedPostsRepository);
    await importInto(workspaceId, await write([post(1, 'A wonderful battery')]));
    const found = (await repository.examine(workspaceId, '', 10)).map(({ id, scrapedAt }) => ({
      id,
      scrapedAt,
      language: 'en',
      sentiment: { score: 1, label: 'positive' as const },
      keywords: ['battery'],
    }));
    await run(
      `UPDATE posts SET title = '[deleted]', scraped_at = now() WHERE workspace_id = $1`,
      workspaceId,
    );
    const save = (): Promise<number> =>
      service.get(TransactionRunner).run((tx) => repository.save(workspaceId, found, tx));
    expect([found.length, await save()]).toEqual([1, 0]);
  });

  it('is done by npm run analyze, which names a workspace that does not exist', async () => {
    await importInto(workspace.workspaceId, await write([post(1, 'A wonderful battery')]));
    const command = (id: string) =>
      promisify(execFile)(process.execPath, [ANALYZE, '--workspace', id, '--json'], {
        env: { ...process.env, DATABASE_URL: service.environment.DATABASE_URL },
      });
    const { stdout } = await command(workspace.workspaceId);
    expect(JSON.parse(stdout)).toEqual({ examined: 1, posts: 1, comments: 0 });
    const unknown = workspace.workspaceId.replace(/^.{8}/, '00000000');
    await expect(command(unknown)).rejects.toThrow(`Workspace ws_${unknown} does not exist`);
  });
});
