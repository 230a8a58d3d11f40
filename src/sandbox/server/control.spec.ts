import { SandboxClient } from '../../../test/support/sandbox-client.js';
import { type Sandbox, startSandbox } from './sandbox.js';

interface PostJson {
  id: string;
  name: string;
  title: string;
  author: string;
  selftext: string;
  created_utc: number;
  num_comments: number;
  removed_by_category: string | null;
}
interface Listing<T> {
  data: { children: { data: T }[] };
}

const EPOCH = '2026-11-01T00:00:00Z';
let sandbox: Sandbox;
let client: SandboxClient;

async function control<T>(operation: string, body?: unknown): Promise<T> {
  const response = await post(operation, JSON.stringify(body));
  if (!response.ok) throw new Error(`${operation}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

const post = (operation: string, body?: string, type = 'application/json'): Promise<Response> =>
  fetch(`${sandbox.baseUrl}/__control/${operation}`, {
    method: 'POST',
    headers: { 'content-type': type },
    body,
  });

const state = async () => (await fetch(`${sandbox.baseUrl}/__control/state`)).json();

async function newest(path: string): Promise<PostJson[]> {
  const { data } = await client.json<Listing<PostJson>>(path);
  return data.children.map((child) => child.data);
}

async function archived(query: string): Promise<PostJson[]> {
  return (await client.json<{ data: PostJson[] }>(`/archive/api/posts/search?${query}`)).data;
}

beforeEach(async () => {
  sandbox = await startSandbox({ clock: new Date(EPOCH), live: { postsPerMinute: 2 } });
  client = await new SandboxClient(sandbox.baseUrl).signIn();
});
afterEach(() => sandbox.close());

describe('POST /__control/posts', () => {
  it('shows an added post in listings, its author, lookups and the archive', async () => {
    const { posts } = await control<{ posts: [{ id: string }] }>('posts', {
      forum: 'technology',
      title: 'A title of my own',
      selftext: 'A text of my own.',
      author: 'my_account',
    });
    const [{ id }] = posts;
    for (const path of ['/r/technology/new', '/user/my_account/submitted', `/api/info?id=${id}`])
      expect((await newest(path))[0]).toMatchObject({
        name: id,
        title: 'A title of my own',
        author: 'my_account',
      });
    expect((await archived('subreddit=technology&sort=desc&limit=1'))[0]).toMatchObject({
      id: id.slice(3),
      selftext: 'A text of my own.',
      created_utc: Date.parse(EPOCH) / 1000,
    });
    const tops = await newest('/r/technology/top?t=hour&limit=100');
    expect(tops.map((one) => one.name)).toContain(id);
  });

  it('generates omitted fields, the same ones for a seed', async () => {
    const add = () => control<{ posts: { id: string }[] }>('posts', { forum: 'programming', count: 3 });
    const { posts } = await add();
    expect(new Set(posts.map(({ id }) => id)).size).toBe(3);
    const before = await newest(`/api/info?id=${posts.map(({ id }) => id).join(',')}`);
    expect(before.every((one) => one.title !== '' && one.author !== '')).toBe(true);
    await control('reset');
    expect(await add()).toEqual({ posts });
    expect(await newest(`/api/info?id=${posts.map(({ id }) => id).join(',')}`)).toEqual(before);
  });
});

describe('POST /__control/comments', () => {
  it('shows added comments in the tree, lookups and the archive', async () => {
    const [first] = await newest('/r/askanything/new');
    const { comments } = await control<{ comments: [{ id: string }] }>('comments', {
      post: first!.name,
      body: 'A comment of my own.',
    });
    const [{ id }] = comments;
    const { comments: replies } = await control<{ comments: { id: string }[] }>('comments', {
      post: first!.name,
      parent: id,
      body: 'A reply.',
      count: 2,
    });
    const tree = JSON.stringify(await client.json(`/comments/${first!.id}?limit=500`));
    for (const one of [id, ...replies.map((reply) => reply.id)]) expect(tree).toContain(`"name":"${one}"`);
    expect((await newest(`/api/info?id=${replies[1]!.id}`))[0]).toMatchObject({
      parent_id: id,
      body: 'A reply.',
    });
    const { data } = await client.json<{ data: { id: string }[] }>(
      `/archive/api/comments/search?link_id=${first!.name}&sort=desc&limit=100`,
    );
    expect(data.map((row) => `t1_${row.id}`)).toEqual(
      expect.arrayContaining([id, ...replies.map((reply) => reply.id)]),
    );
    const [again] = await newest(`/api/info?id=${first!.name}`);
    expect(again!.num_comments).toBeGreaterThanOrEqual(3);
  });
});

describe('POST /__control/delete', () => {
  it('shows posts and comments as deleted by their author or removed by a moderator', async () => {
    const { posts } = await control<{ posts: { id: string }[] }>('posts', {
      forum: 'technology',
      selftext: 'Soon gone.',
      count: 2,
    });
    const { comments } = await control<{ comments: [{ id: string }] }>('comments', { post: posts[0]!.id });
    await control('delete', { ids: [posts[0]!.id, comments[0].id] });
    await control('delete', { ids: [posts[1]!.id], as: 'removed' });
    const [deleted, removed] = await newest(`/api/info?id=${posts.map(({ id }) => id).join(',')}`);
    expect(deleted).toMatchObject({
      author: '[deleted]',
      selftext: '[deleted]',
      removed_by_category: 'deleted',
    });
    expect(removed).toMatchObject({ selftext: '[removed]', removed_by_category: 'moderator' });
    expect((await newest(`/api/info?id=${comments[0].id}`))[0]).toMatchObject({
      author: '[deleted]',
      body: '[deleted]',
    });
  });
});

describe('POST /__control/clock', () => {
  it('stops the clock until it is moved; new posts appear as it moves', async () => {
    const before = await newest('/r/technology/new');
    expect(await control('clock', { advance_seconds: 120 })).toEqual({
      now: '2026-11-01T00:02:00.000Z',
      stands_still: true,
    });
    const after = await newest('/r/technology/new');
    const fresh = after.filter((one) => !before.some((old) => old.name === one.name));
    expect(fresh.length).toBeGreaterThanOrEqual(3);
    expect(fresh.length).toBeLessThanOrEqual(5);
    await control('clock', { now: EPOCH });
    expect(await newest('/r/technology/new')).toEqual(before);
    expect(await control('clock', { now: 'real' })).toMatchObject({ stands_still: false });
  });
});

describe('POST /__control/faults and /__control/reset', () => {
  it('injects faults, and restores the initial state', async () => {
    await control('posts', { forum: 'technology' });
    await control('faults', { rate: 1, kinds: ['503'], max_in_a_row: 1_000 });
    expect(await state()).toMatchObject({
      faults: { rate: 1, kinds: ['503'] },
      edits: { posts: 1 },
    });
    const answer = await fetch(`${sandbox.baseUrl}/r/technology/new`);
    expect(answer.status).toBe(503);
    await control('reset');
    expect(await state()).toMatchObject({
      seed: 1,
      clock: { now: '2026-11-01T00:00:00.000Z', stands_still: true },
      requests_per_minute: null,
      faults: null,
      edits: { posts: 0, comments: 0, gone: 0 },
      stats: { requests: 0 },
    });
    expect((await fetch(`${sandbox.baseUrl}/r/technology/new`)).status).toBe(401);
  });
});

describe('a refused request', () => {
  it.each([
    ['posts', '{"forum":"technology","titel":"x"}', 400, 'titel: is not a field'],
    ['posts', '{"forum":"technology","title":""}', 400, 'title'],
    ['posts', '{"forum":"nowhere"}', 404, 'nowhere'],
    ['posts', '{', 400, 'not JSON'],
    ['comments', '{"post":"t3_zzzzz"}', 404, 't3_zzzzz'],
    ['comments', '{"post":"x"}', 400, 'post'],
    ['delete', '{"ids":[]}', 400, 'ids'],
    ['delete', '{"ids":["t3_zzzzz"]}', 404, 't3_zzzzz'],
    ['clock', '{}', 400, 'exactly one'],
    ['clock', '{"now":"tomorrow"}', 400, 'now: must be "real" or a time'],
    ['faults', '{"rate":2}', 400, 'rate'],
    ['faults', '{"rate":1,"kinds":["404"]}', 400, 'kinds'],
    ['reset', '{"all":true}', 400, 'all'],
    ['nothing', '{}', 404, 'Known: state'],
    ['constructor', '{}', 404, 'Known: state'],
    ['state', '{}', 405, 'Use GET'],
  ])('%s %s: %i', async (operation, body, status, words) => {
    const response = await post(operation, body);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    const problem = (await response.json()) as { status: number; detail: string };
    expect(problem.status).toBe(status);
    expect(problem.detail).toContain(words);
    expect(await state()).toMatchObject({ edits: { posts: 0, comments: 0, gone: 0 }, faults: null });
  });

  it('includes a request whose content type is not JSON', async () => {
    expect((await post('posts', '{"forum":"technology"}', 'text/plain')).status).toBe(415);
  });
});
