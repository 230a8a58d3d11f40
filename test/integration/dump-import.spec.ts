import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type pg from 'pg';
import { DumpImportService } from '../../src/collect/imports/dump-import.service.js';
import { SecretsModule } from '../../src/infrastructure/secrets/secrets.module.js';
import { CollectModule } from '../../src/collect/collect.module.js';
import { TenantsModule } from '../../src/tenants/tenants.module.js';
import { NestFactory } from '@nestjs/core';
import { ConfigModule } from '../../src/config/config.module.js';
import { DatabaseModule } from '../../src/database/database.module.js';
import { startTestApplication } from '../support/application.js';
import { mailId } from '../../src/platforms/mail/mail-posts.js';
import { call, requestAs } from '../support/client.js';
import { connect } from '../support/database.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** Every record, only stored. */
const ALL = { forums: [], authors: [], analyze: false, alerts: false };

const post = (number: number, more: Record<string, unknown> = {}): string =>
  JSON.stringify({
    id: number.toString(36),
    subreddit: number % 2 === 0 ? 'Technology' : 'science',
    title: `Title ${number}`,
    author: `author${number % 5}`,
    selftext: 'Great news',
    created_utc: String(1_700_000_000 + number),
    permalink: `/r/technology/comments/${number.toString(36)}/title/`,
    score: number,
    num_comments: 1,
    ...more,
  });
const comment = (id: string, parent: string, more: Record<string, unknown> = {}): string =>
  JSON.stringify({
    id,
    parent_id: parent,
    link_id: 't3_a',
    body: `Body ${id}`,
    author: 'a',
    created_utc: 1_700_000_000.5,
    ...more,
  });

const service = await startTestApplication();

describe('the import of a dump', () => {
  let imports: DumpImportService;
  let command: { close(): Promise<void> };
  let folder: string;
  let database: pg.Client;

  beforeAll(async () => {
    const app = await NestFactory.createApplicationContext(
      {
        module: class {},
        imports: [
          ConfigModule.with(service.environment),
          DatabaseModule,
          SecretsModule.existing(),
          TenantsModule,
          CollectModule,
        ],
      },
      { logger: false, abortOnError: false },
    );
    command = app;
    imports = app.get(DumpImportService);
    folder = await temporaryFolder();
    database = await connect(service.environment.DATABASE_URL!);
  });
  afterAll(async () => {
    await database.end();
    await command.close();
  });

  const write = async (name: string, lines: readonly string[]): Promise<string> => {
    const file = join(folder, name);
    await writeFile(file, lines.map((line) => `${line}\n`).join(''));
    return file;
  };
  const run = (
    workspaceId: string,
    file: string,
    selection: { forums?: string[]; authors?: string[] } = {},
    onProgress: () => void = () => undefined,
    signal = new AbortController().signal,
  ) => imports.run(workspaceId, file, { ...ALL, ...selection }, onProgress, signal);

  it('stores selected records once, also when repeated, and counts damaged ones', async () => {
    const workspace = await service.createWorkspace();
    const lines = Array.from({ length: 100 }, (_one, at) => post(at + 1));
    const file = await write('RS_1.ndjson', [...lines, '{"title": broken', '{"neither": 1}', lines[0]!, '']);
    const first = await run(workspace.workspaceId, file);
    expect(first).toMatchObject({ lines: 104, posts: 100, comments: 0, damagedLines: 2, existing: 0 });
    const again = await run(workspace.workspaceId, file);
    expect(again).toMatchObject({ posts: 0, existing: 100, damagedLines: 2 });
    const one = await call<Record<string, unknown>>(service, workspace, 'GET', '/posts/t3_a');
    expect(one).toMatchObject({
      forum: 'Technology',
      sentiment_label: 'neutral',
      sentiment_score: 0,
      keywords: [],
      created_utc: '2023-11-14T22:13:30.000Z',
    });
  });

  it.each([
    ['no line', ['']],
    ['a wrapped list', ['{"data":[{"id":"a"}]}']],
    ['a table', ['id,title', 'a,b']],
    ['a pretty-printed record', ['{', '"id": "a"', '}']],
  ])('refuses a file of which %s is a record, whatever is selected', async (_, lines) => {
    const workspace = await service.createWorkspace();
    const file = await write('RS_none.ndjson', lines);
    for (const forums of [[], ['technology']])
      await expect(run(workspace.workspaceId, file, { forums })).rejects.toThrow(
        'RS_none.ndjson is not a dump: no line of it is a post or a comment',
      );
  });

  it('takes the first of records with the same id, within a batch as between batches', async () => {
    const workspace = await service.createWorkspace();
    const lines = [post(1, { score: 5 }), post(1, { score: 9 })];
    const far = Array.from({ length: 2_500 }, (_one, at) => post(at + 2));
    const file = await write('RS_twice.ndjson', [...lines, ...far, post(1, { score: 11 })]);
    expect(await run(workspace.workspaceId, file)).toMatchObject({ posts: 2_501 });
    expect(await call(service, workspace, 'GET', '/posts/t3_1')).toMatchObject({ score: 5 });
  });

  it('leaves out advertisements without counting them as damaged', async () => {
    const workspace = await service.createWorkspace();
    const file = await write('RS_ad.ndjson', [post(1), post(2, { promoted: true, subreddit: undefined })]);
    expect(await run(workspace.workspaceId, file)).toMatchObject({ lines: 2, posts: 1, damagedLines: 0 });
  });

  const mail = (id: string, headers: readonly string[] = [], from = 'Ann Doe <ann@a.example>'): string =>
    [
      'From ann@a.example Fri Jan 12 10:00:00 2024',
      `From: ${from}`,
      'Date: Fri, 12 Jan 2024 10:00:00 +0000',
      `Subject: About ${id}`,
      `Message-ID: <${id}@a.example>`,
      ...headers,
      '',
      `Text of ${id}`,
      '>From here on quoted',
      '',
    ].join('\n');
  const replyTo = (...ids: string[]): string[] => [
    `References: ${ids.map((id) => `<${id}@a.example>`).join(' ')}`,
    `In-Reply-To: <${ids.at(-1)}@a.example>`,
  ];

  it('stores the threads of an mbox file, wherever they begin in it, once', async () => {
    const workspace = await service.createWorkspace();
    const mails = [
      mail('reply', replyTo('root')),
      mail('root', ['List-Id: Talk <talk.a.example>']),
      mail('deep', replyTo('root', 'reply'), 'Bob at b.example'),
      mail('lost', replyTo('root', 'nowhere')),
      mail('other'),
    ];
    const file = join(folder, 'talk.mbox.gz');
    await writeFile(file, gzipSync(mails.join('\n')));
    expect(await run(workspace.workspaceId, file)).toMatchObject({ lines: 5, posts: 2, comments: 3 });
    expect(await run(workspace.workspaceId, file)).toMatchObject({ posts: 0, comments: 0, existing: 5 });
    const { body: posts } = await requestAs(service, workspace, 'GET', '/posts?q=title:root');
    const [root] = (posts as { posts: Record<string, unknown>[] }).posts;
    expect(root).toMatchObject({
      forum: 'mail:https://talk.a.example/',
      author: 'Ann Doe',
      num_comments: 3,
      selftext: 'Text of root\nFrom here on quoted',
      created_utc: '2024-01-12T10:00:00.000Z',
    });
    const comments = await requestAs(
      service,
      workspace,
      'GET',
      `/comments?post_id=${String(root!.id)}&sort_by=thread`,
    );
    const shown = (comments.body as { comments: { body: string; depth: number; author: string }[] }).comments;
    expect(shown.map(({ body, depth, author }) => [body.split('\n')[0], depth, author]).sort()).toEqual([
      ['Text of deep', 1, 'Bob'],
      ['Text of lost', 0, 'Ann Doe'],
      ['Text of reply', 0, 'Ann Doe'],
    ]);
  });

  it('stores messages under the archive that is named, with the ids of a scrape', async () => {
    const workspace = await service.createWorkspace();
    const file = await write('talk.mbox', [mail('root')]);
    const forums = ['mail:https://lists.example.org/pipermail/talk/'];
    expect(await run(workspace.workspaceId, file, { forums })).toMatchObject({ posts: 1 });
    const id = mailId('lists.example.org', 'root@a.example');
    expect(await call(service, workspace, 'GET', `/posts/${id}`)).toMatchObject({
      forum: forums[0],
      permalink: expect.stringContaining('/pipermail/talk/2024-January/thread.html'),
    });
    await expect(run(workspace.workspaceId, file, { forums: ['technology'] })).rejects.toThrow(
      '--forum mail:',
    );
  });

  it('selects forums and authors without regard to case', async () => {
    const workspace = await service.createWorkspace();
    const file = await write(
      'RS_2.ndjson',
      Array.from({ length: 100 }, (_one, at) => post(at + 1)),
    );
    expect(await run(workspace.workspaceId, file, { forums: ['TECHNOLOGY'] })).toMatchObject({ posts: 50 });
    expect(
      await run(workspace.workspaceId, file, { forums: ['science'], authors: ['Author1'] }),
    ).toMatchObject({
      posts: 10,
    });
  });

  it('leaves stored posts as they are', async () => {
    const workspace = await service.createWorkspace();
    await run(workspace.workspaceId, await write('RS_3.ndjson', [post(1, { score: 7 })]));
    await run(workspace.workspaceId, await write('RS_4.ndjson', [post(1, { score: 8 }), post(2)]));
    expect(await call(service, workspace, 'GET', '/posts/t3_1')).toMatchObject({ score: 7 });
  });

  it('gives comments their depth, from the dump and from stored comments', async () => {
    const workspace = await service.createWorkspace();
    const before = [
      comment('b', 't3_a'),
      comment('d', 't1_c'),
      comment('c', 't1_b'),
      comment('x', 't1_lost'),
    ];
    expect(await run(workspace.workspaceId, await write('RC_1', before))).toMatchObject({ comments: 4 });
    await run(workspace.workspaceId, await write('RC_2', [comment('e', 't1_d')]));
    const { rows } = await database.query<{ id: string; depth: number }>(
      'SELECT comment_id AS id, depth FROM comments WHERE workspace_id = $1 ORDER BY 1',
      [workspace.workspaceId],
    );
    expect(rows.map(({ id, depth }) => [id, depth])).toEqual([
      ['t1_b', 0],
      ['t1_c', 1],
      ['t1_d', 2],
      ['t1_e', 3],
      ['t1_x', 1],
    ]);
  });

  it('stores the forum of the post with each comment', async () => {
    const workspace = await service.createWorkspace();
    await run(workspace.workspaceId, await write('RC_4', [comment('b', 't3_a', { subreddit: 'Science' })]));
    const { rows } = await database.query('SELECT forum FROM comments WHERE workspace_id = $1', [
      workspace.workspaceId,
    ]);
    expect(rows).toEqual([{ forum: 'Science' }]);
  });

  it('continues after values that Postgres cannot store', async () => {
    const workspace = await service.createWorkspace();
    const file = await write('RC_3', [
      comment('b', 't3_a', { permalink: '/r/Tech\0nology/comments/a/title/b/' }),
      comment('c', 't3_a', { subreddit: `a\0${'b'.repeat(5_000)}` }),
      comment('d', 't3_a', { permalink: `/r/${randomBytes(4_000).toString('hex')}/comments/a/title/d/` }),
      comment('zzzzzzzzzzzzz', 't3_a'),
      comment('e', 't1_zzzzzzzzzzzzz'),
    ]);
    expect(await run(workspace.workspaceId, file)).toMatchObject({ comments: 4, damagedLines: 1 });
    const { comments } = await call<{ comments: { comment_id: string; post_permalink: string }[] }>(
      service,
      workspace,
      'GET',
      '/comments',
    );
    expect(new Map(comments.map((one) => [one.comment_id, one.post_permalink]))).toEqual(
      new Map([
        ['t1_b', '/r/Technology/comments/a/title/'],
        ['t1_c', `/r/a${'b'.repeat(254)}/comments/a/`],
        ['t1_d', '/r//comments/a/'],
        ['t1_e', '/r//comments/a/'],
      ]),
    );
  });

  it('continues where it was stopped, with exact counts', async () => {
    const workspace = await service.createWorkspace();
    const lines = Array.from({ length: 9_000 }, (_one, at) => (at % 10 === 9 ? 'damaged' : post(at + 1)));
    const file = await write('RS_5.ndjson', lines);
    const stop = new AbortController();
    let batches = 0;
    const stopped = run(
      workspace.workspaceId,
      file,
      {},
      () => {
        batches += 1;
        if (batches === 2) stop.abort(new Error('stopped'));
      },
      stop.signal,
    );
    await expect(stopped).rejects.toThrow('stopped');
    const { rows } = await database.query<{ lines: string }>(
      'SELECT lines FROM dump_imports WHERE workspace_id = $1',
      [workspace.workspaceId],
    );
    expect(Number(rows[0]!.lines)).toBeGreaterThan(4_000);
    // A different selection starts from the beginning.
    const others = await run(workspace.workspaceId, file, { forums: ['nowhere'] });
    expect(others).toMatchObject({ lines: 9_000, posts: 0 });
    await run(workspace.workspaceId, file, { authors: ['nowhere'] });
    const imported = 'SELECT 1 FROM dump_imports WHERE workspace_id = $1';
    expect((await database.query(imported, [workspace.workspaceId])).rowCount).toBe(3);
    expect(await run(workspace.workspaceId, file)).toMatchObject({
      lines: 9_000,
      posts: 8_100,
      damagedLines: 900,
      existing: 0,
    });
  });
});
