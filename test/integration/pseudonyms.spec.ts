import { aComment, storeComments } from '../factories/comments.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication, type TestApplication, type TestWorkspace } from '../support/application.js';
import { call, requestAs } from '../support/client.js';
import { until } from '../support/until.js';

const ROWS = 3_000;
const nameOf = (number: number): string => `Writer_${number % 500}x`;
const NAMES = Array.from({ length: 500 }, (_, number) => nameOf(number).toLowerCase());

const POSTS = Array.from({ length: ROWS }, (_, number) =>
  aPost(number, {
    author: nameOf(number),
    title: `Answer to ${nameOf(number + 1)}`,
    selftext: `u/${nameOf(number + 2)} said:\n> _${nameOf(number + 3)}_ is right, @${nameOf(number + 4).toUpperCase()}.`,
    permalink: `/r/a/comments/${number}/answer_to_${nameOf(number + 1)}/`,
    url: `https://example.com/user/${nameOf(number)}`,
    forum: `u_${nameOf(number)}`,
    keywords: [`${nameOf(number)} answer`],
  }),
);

interface Row {
  author: string;
  selftext?: string;
}

describe('exports with pseudonyms', () => {
  let service: TestApplication;
  let workspace: TestWorkspace;
  let other: TestWorkspace;

  beforeAll(async () => {
    service = await startTestApplication({ ROLES: 'api,worker' });
    [workspace, other] = [await service.createWorkspace(), await service.createWorkspace()];
    await storePosts(service, workspace.workspaceId, POSTS);
    await storePosts(service, other.workspaceId, POSTS.slice(0, 1));
    await storeComments(
      service,
      workspace.workspaceId,
      [1, 2].map((number) => aComment(number, { author: nameOf(number), body: `${nameOf(7)} knows` })),
    );
  }, 60_000);
  afterAll(() => service.close());

  const download = async (of: TestWorkspace, kind: string): Promise<string> =>
    (
      await requestAs(service, of, 'GET', `/exports/${kind}?format=ndjson&pseudonymize=true&sort_order=asc`)
        .buffer()
        .parse((response, done) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => done(null, Buffer.concat(chunks).toString()));
        })
        .expect(200)
    ).body as string;
  const rowsOf = (text: string): Row[] =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Row);
  const namesIn = (text: string): string[] => {
    const lower = text.toLowerCase();
    return NAMES.filter((name) => lower.includes(name));
  };

  it('contain no name of an author, and keep what is not a name', async () => {
    const text = await download(workspace, 'posts');
    const rows = rowsOf(text);
    expect(rows).toHaveLength(ROWS);
    expect(namesIn(text)).toEqual([]);
    expect(rows[0]!.selftext).toMatch(/^u\/anon-\w{16} said:\n> _anon-\w{16}_ is right, @anon-\w{16}\.$/);
  });

  it('join with other exports of the workspace, also large ones', async () => {
    const { id } = await call<{ id: string }>(service, workspace, 'POST', '/exports', {
      of: 'posts',
      format: 'ndjson',
      pseudonymize: true,
    });
    await until(
      () => call<{ status: string }>(service, workspace, 'GET', `/exports/${id}`),
      ({ status }) => status === 'completed',
    );
    const part = await requestAs(service, workspace, 'GET', `/exports/${id}/parts/1`)
      .buffer()
      .parse((response, done) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => done(null, Buffer.concat(chunks).toString()));
      });
    expect(namesIn(part.body as string)).toEqual([]);
    const authors = new Set(rowsOf(part.body as string).map(({ author }) => author));
    expect(authors.size).toBe(500);
    const comments = await download(workspace, 'comments');
    expect(namesIn(comments)).toEqual([]);
    expect(rowsOf(comments).every(({ author }) => authors.has(author))).toBe(true);
    const [elsewhere] = rowsOf(await download(other, 'posts'));
    expect(authors.has(elsewhere!.author)).toBe(false);
  });

  it('are no base of incremental exports with names', async () => {
    const { exports } = await call<{ exports: { id: string }[] }>(service, workspace, 'GET', '/exports');
    const { body } = await requestAs(service, workspace, 'POST', '/exports')
      .send({ of: 'posts', format: 'ndjson', incremental_from: exports[0]!.id })
      .expect(400);
    expect(body).toMatchObject({ errors: [{ field: 'incremental_from' }] });
  });
});
