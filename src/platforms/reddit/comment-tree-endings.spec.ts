import { type CommentSlice } from '../platform.js';
import { type ApiRequest } from './api-client.js';
import { walkTree } from './comment-tree.js';

const listing = (children: unknown[]) => ({ kind: 'Listing', data: { children } });
const missingOf = (slices: CommentSlice[]) => slices.at(-1)?.missing ?? 0;

async function walk(fetch: <T>(request: ApiRequest<T>) => Promise<T>): Promise<{ slices: CommentSlice[] }> {
  const slices: CommentSlice[] = [];
  const post = { id: 't3_p', forum: 'x', permalink: '/r/x/comments/p/' };
  for await (const slice of walkTree(post, fetch)) slices.push(slice);
  return { slices };
}

describe('a comment tree whose continued thread brings no new comments', () => {
  const stub = (parent: string) => ({
    kind: 'more',
    data: { id: '_', count: 0, parent_id: `t1_${parent}`, children: [] },
  });
  const comment = (id: string, parent: string) => ({
    kind: 't1',
    data: {
      id,
      parent_id: parent === 'p' ? 't3_p' : `t1_${parent}`,
      author: 'a',
      body: id,
      created_utc: 1_700_000_100,
    },
  });

  it.each<[string, unknown[]]>([
    ['is empty', []],
    ['repeats its parent', [comment('a', 'p')]],
    ['repeats its parent and the stub', [comment('a', 'p'), stub('a')]],
  ])('requests that thread once and counts it as missing when it %s', async (_what, things) => {
    const requested: string[] = [];
    const { slices } = await walk((request) => {
      requested.push(request.path);
      if (requested.length > 2) throw new Error('requested again');
      const shown = requested.length === 1 ? [comment('a', 'p'), stub('a')] : things;
      return Promise.resolve(request.read([listing([]), listing(shown)])!);
    });
    expect(requested).toEqual(['/comments/p', '/comments/p/_/a']);
    expect(slices.flatMap((slice) => slice.comments.map(({ id }) => id))).toEqual(['t1_a']);
    expect(missingOf(slices)).toBe(1);
  });

  it('does not end a walk in which other requests bring comments', async () => {
    const threads = Array.from({ length: 250 }, (_, at) => `c${at}`);
    const { slices } = await walk((request) => {
      const [, , , , thread] = request.path.split('/');
      const shown =
        thread === undefined
          ? threads.flatMap((id) => [comment(id, 'p'), stub(id)])
          : Number(thread.slice(1)) % 2 === 0
            ? [comment(`reply${thread}`, thread)]
            : [];
      return Promise.resolve(request.read([listing([]), listing(shown)])!);
    });
    expect(slices.flatMap((slice) => slice.comments)).toHaveLength(250 + 125);
    expect(missingOf(slices)).toBe(125);
  });

  it.each(['stub', 'thread'] as const)(
    'ends a walk in which every response brings another %s',
    async (how) => {
      let requests = 0;
      const { slices } = await walk((request) => {
        requests += 1;
        if (requests > 1_000) throw new Error('endless');
        const ids = [`x${requests}`, `y${requests}`];
        const next =
          how === 'thread'
            ? [stub(ids[0]!), stub(ids[1]!)]
            : [{ kind: 'more', data: { id: 'm', parent_id: 't3_p', children: ids } }];
        const answer =
          request.path === '/api/morechildren'
            ? { json: { errors: [], data: { things: next } } }
            : [listing([]), listing(next)];
        return Promise.resolve(request.read(answer)!);
      });
      expect(requests).toBe(101);
      expect(missingOf(slices)).toBe(202);
    },
  );
});

it('a comment with 200,000 replies is walked without an error', async () => {
  const replies = Array.from({ length: 200_000 }, (_, at) => ({
    kind: 't1',
    data: { id: `r${at}`, parent_id: 't1_a', body: '', created_utc: 1_700_000_100 },
  }));
  const root = {
    id: 'a',
    parent_id: 't3_p',
    body: '',
    created_utc: 1_700_000_100,
    replies: listing(replies),
  };
  const { slices } = await walk((request) =>
    Promise.resolve(request.read([listing([]), listing([{ kind: 't1', data: root }])])!),
  );
  expect(slices.flatMap((slice) => slice.comments)).toHaveLength(200_001);
});
