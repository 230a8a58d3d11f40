import type { Test } from 'supertest';
import { aComment, storeComments } from '../factories/comments.js';
import { aPost, storePosts } from '../factories/posts.js';
import { startTestApplication, type TestWorkspace } from '../support/application.js';
import { call, requestAs } from '../support/client.js';
import { until } from '../support/until.js';

const ROWS = 8_000;
const AUTHORS = 1_500;
/** Rows of an export that is streamed at once. */
const STREAMED = Math.min(ROWS, 10_000);
/** A part of every name, in any case, and of nothing else. */
const STEM = 'walrusq';
const SHAPES = [
  (number: number) => `Walrusq_${number}x`,
  (number: number) => `the-WALRUSQ-${number}`,
  (number: number) => `w${number}walrusq`,
];
const nameOf = (number: number): string => SHAPES[number % SHAPES.length]!(number % AUTHORS);

const postsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const number = first + index;
    return aPost(number, {
      author: nameOf(number),
      title: `Answer to ${nameOf(number + 1)}`,
      selftext: `u/${nameOf(number + 2)} said:\n> _${nameOf(number + 3)}_ is right, @${nameOf(number + 4).toUpperCase()}.`,
      permalink: `/r/a/comments/${number}/answer_to_${nameOf(number + 1)}/`,
      url: `https://example.com/user/${nameOf(number)}`,
      forum: `u_${nameOf(number)}`,
      keywords: [
        'harbour',
        `${nameOf(number)} answer`,
        ...nameOf(number + 1)
          .toLowerCase()
          .split(/[-_]/),
      ],
    });
  });

interface Row {
  id: string;
  author: string;
  selftext?: string;
  keywords?: string[];
}

const service = await startTestApplication({ ROLES: 'api,worker' });

describe('exports with pseudonyms', () => {
  let workspace: TestWorkspace;
  let other: TestWorkspace;

  beforeAll(async () => {
    [workspace, other] = [await service.createWorkspace(), await service.createWorkspace()];
    await storePosts(service, workspace.workspaceId, postsFrom(0, ROWS));
    await storePosts(service, other.workspaceId, postsFrom(0, 1));
    await storeComments(
      service,
      workspace.workspaceId,
      [1, 2].map((number) => aComment(number, { author: nameOf(number), body: `${nameOf(7)} knows` })),
    );
  });

  const download = (of: TestWorkspace, kind: string): Promise<string> =>
    file(requestAs(service, of, 'GET', `/exports/${kind}?format=ndjson&pseudonymize=true&sort_order=asc`));
  const rowsOf = (text: string): Row[] =>
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Row);
  const namesIn = (text: string): string[] => [
    ...new Set(text.match(new RegExp(`.{0,9}${STEM}.{0,9}`, 'gi')) ?? []),
  ];
  /** The files of an export job of all posts. */
  async function exported(): Promise<string> {
    const { id } = await call<{ id: string }>(service, workspace, 'POST', '/exports', {
      of: 'posts',
      format: 'ndjson',
      pseudonymize: true,
    });
    const { parts } = await until(
      () => call<{ status: string; parts: object[] }>(service, workspace, 'GET', `/exports/${id}`),
      ({ status }) => status === 'completed',
    );
    const files = parts.map((_part, at) =>
      file(requestAs(service, workspace, 'GET', `/exports/${id}/parts/${at + 1}`)),
    );
    return (await Promise.all(files)).join('');
  }
  const file = async (request: Test): Promise<string> => {
    const { body } = await request
      .buffer()
      .parse((response, done) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => done(null, Buffer.concat(chunks).toString()));
      })
      .expect(200);
    return body as string;
  };

  it('contain no name of an author, and keep what is not a name', async () => {
    const posts = await download(workspace, 'posts');
    const rows = rowsOf(posts);
    expect(rows).toHaveLength(STREAMED);
    expect(namesIn(posts)).toEqual([]);
    expect(rows.every(({ keywords }) => keywords?.join() === 'harbour')).toBe(true);
    expect(rows[0]!.selftext).toMatch(/^u\/anon-\w{16} said:\n> _anon-\w{16}_ is right, @anon-\w{16}\.$/);
  });

  it('join with a later export of the workspace, and with its comments', async () => {
    const first = await exported();
    expect(namesIn(first)).toEqual([]);
    const authorOf = new Map(rowsOf(first).map(({ id, author }) => [id, author]));
    expect(authorOf.size).toBe(ROWS);
    const authors = new Set(authorOf.values());
    expect(authors.size).toBe(AUTHORS);
    await storePosts(service, workspace.workspaceId, postsFrom(ROWS, 50));
    const later = rowsOf(await exported());
    expect(later).toHaveLength(ROWS + 50);
    expect(later.filter(({ id, author }) => (authorOf.get(id) ?? author) !== author)).toEqual([]);
    expect(later.every(({ author }) => authors.has(author))).toBe(true);
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
