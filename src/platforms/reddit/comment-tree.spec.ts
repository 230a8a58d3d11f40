import fc from 'fast-check';
import { type CommentSlice, PlatformError, type PlatformErrorCode } from '../platform.js';
import { type ApiRequest } from './api-client.js';
import { walkTree } from './comment-tree.js';

const POST = { id: 't3_p', forum: 'x', permalink: '/r/x/comments/p/' };

interface Node {
  id: string;
  parent: string;
}

/** A thread that hides comments behind stubs as the platform does, and records its requests. */
class StubbedThread {
  readonly requested: string[] = [];
  readonly batches: string[][] = [];
  readonly entered: string[] = [];
  running = 0;
  mostRunning = 0;

  constructor(
    private readonly nodes: readonly Node[],
    /** How the children of a comment are shown: at once, in a stub of ids, or behind a continued thread. */
    private readonly how: (parent: string, requested: string) => 'shown' | 'stub' | 'thread',
    private readonly never: ReadonlySet<string> = new Set(),
  ) {}

  fetch = async <T>(request: ApiRequest<T>): Promise<T> => {
    this.running += 1;
    this.mostRunning = Math.max(this.mostRunning, this.running);
    await new Promise((done) => setImmediate(done));
    this.running -= 1;
    return request.read(this.answer(request))!;
  };

  private answer(request: ApiRequest<unknown>): unknown {
    this.requested.push(`${request.path}?${request.params.children ?? ''}`);
    const entered = /\/_\/(\w+)$/.exec(request.path)?.[1];
    if (request.path === '/api/morechildren') {
      const ids = request.params.children!.split(',');
      this.batches.push(ids);
      const things = ids
        .filter((id) => !this.never.has(id))
        .flatMap((id) =>
          this.flat(
            this.nodes.find((node) => node.id === id)!,
            'more',
          ),
        );
      return { json: { errors: [], data: { things } } };
    }
    if (entered) this.entered.push(entered);
    const roots = entered
      ? [
          this.nested(
            this.nodes.find((node) => node.id === entered)!,
            'entered',
            true,
          ),
        ]
      : this.children('p', 'first');
    return [
      listing([{ kind: 't3', data: { id: 'p', author: 'op', created_utc: 1_700_000_000 } }]),
      listing(roots),
    ];
  }

  private children(parent: string, requested: string, mustShow = false): unknown[] {
    const children = this.nodes.filter((node) => node.parent === parent);
    const how = mustShow ? 'shown' : this.how(parent, requested);
    if (children.length === 0) return [];
    if (how === 'shown') return children.map((child) => this.nested(child, requested));
    const parentId = parent === 'p' ? 't3_p' : `t1_${parent}`;
    return how === 'thread' && parent !== 'p'
      ? [{ kind: 'more', data: { id: '_', count: 0, parent_id: parentId, children: [] } }]
      : [
          {
            kind: 'more',
            data: { id: 'm', parent_id: parentId, children: children.map((child) => child.id) },
          },
        ];
  }

  private nested(node: Node, requested: string, mustShow = false): unknown {
    const replies = this.children(node.id, requested, mustShow);
    return { kind: 't1', data: { ...row(node), replies: replies.length > 0 ? listing(replies) : '' } };
  }

  private flat(node: Node, requested: string): unknown[] {
    const children = this.children(node.id, requested);
    const open = children.flatMap((child) => {
      const { kind, data } = child as { kind: string; data: { id: string } };
      return kind === 'more'
        ? [child]
        : this.flat(
            this.nodes.find(({ id }) => id === data.id)!,
            requested,
          );
    });
    return [{ kind: 't1', data: { ...row(node), replies: '' } }, ...open];
  }
}

const row = (node: Node) => ({
  id: node.id,
  parent_id: node.parent === 'p' ? 't3_p' : `t1_${node.parent}`,
  author: 'a',
  body: node.id,
  created_utc: 1_700_000_100,
});
const listing = (children: unknown[]) => ({ kind: 'Listing', data: { children } });

async function walk(fetch: <T>(request: ApiRequest<T>) => Promise<T>): Promise<{ slices: CommentSlice[] }> {
  const slices: CommentSlice[] = [];
  for await (const slice of walkTree(POST, fetch)) slices.push(slice);
  return { slices };
}
const missingOf = (slices: CommentSlice[]) => slices.at(-1)?.missing ?? 0;

const trees = fc
  .array(fc.tuple(fc.nat(), fc.constantFrom('shown', 'shown', 'stub', 'thread'), fc.nat(9)), {
    maxLength: 260,
  })
  .map((shape) => {
    const nodes = shape.map(([parent], at) => ({
      id: `c${at}`,
      parent: at === 0 || parent % (at + 1) === at ? 'p' : `c${parent % at}`,
    }));
    const hows = new Map(shape.map(([, how], at) => [at === 0 ? 'p' : `c${at - 1}`, how]));
    const never = new Set(nodes.filter((_, at) => shape[at]![2] === 0).map((node) => node.id));
    return { nodes, how: (parent: string) => hows.get(parent) ?? 'shown', never } as const;
  });

describe('a comment tree', () => {
  it('is walked completely, each comment once, whatever hides its replies', async () => {
    await fc.assert(
      fc.asyncProperty(trees, async ({ nodes, how }) => {
        const thread = new StubbedThread(nodes, how);
        const { slices } = await walk(thread.fetch);
        const comments = slices.flatMap((slice) => slice.comments);
        expect(comments.map((comment) => comment.id).sort()).toEqual(
          nodes.map((node) => `t1_${node.id}`).sort(),
        );
        const depths = new Map([['t3_p', -1]]);
        for (const comment of comments) {
          expect(comment.depth).toBe(depths.get(comment.parentId)! + 1);
          depths.set(comment.id, comment.depth);
        }
        const ids = thread.batches.flat();
        expect(new Set(ids).size).toBe(ids.length);
        expect(new Set(thread.entered).size).toBe(thread.entered.length);
        expect(Math.max(0, ...thread.batches.map((batch) => batch.length))).toBeLessThanOrEqual(100);
        expect(thread.mostRunning).toBe(1);
        expect(missingOf(slices)).toBe(0);
      }),
      { seed: 20_261_121, numRuns: 150 },
    );
  });

  it('counts comments that are never delivered, and does not request them again', async () => {
    await fc.assert(
      fc.asyncProperty(trees, async ({ nodes, how, never }) => {
        const thread = new StubbedThread(nodes, how, never);
        const { slices } = await walk(thread.fetch);
        const got = new Set(slices.flatMap((slice) => slice.comments).map((comment) => comment.id));
        const ids = thread.batches.flat();
        expect(new Set(ids).size).toBe(ids.length);
        expect(missingOf(slices)).toBe(ids.filter((id) => !got.has(`t1_${id}`)).length);
      }),
      { seed: 7, numRuns: 100 },
    );
  });

  it('does not request an id again that a later stub repeats', async () => {
    const batches: string[] = [];
    const stub = (...children: string[]) => ({
      kind: 'more',
      data: { id: 'm', parent_id: 't3_p', children },
    });
    const comment = (id: string) => ({ kind: 't1', data: row({ id, parent: 'p' }) });
    const { slices } = await walk((request) => {
      if (request.path !== '/api/morechildren')
        return Promise.resolve(request.read([listing([]), listing([stub('a', 'b', 'c'), comment('c')])])!);
      batches.push(request.params.children!);
      const things =
        batches.length === 1 ? [comment('a'), comment('a'), stub('b', 'a', 'c', 'z')] : [comment('b')];
      return Promise.resolve(request.read({ json: { errors: [], data: { things } } })!);
    });
    expect(batches).toEqual(['a,b', 'z']);
    expect(slices.flatMap((slice) => slice.comments.map(({ id }) => id))).toEqual(['t1_c', 't1_a', 't1_b']);
    expect(missingOf(slices)).toBe(1);
  });

  it('follows a continued thread once, however many stubs point to it', async () => {
    const entered: string[] = [];
    const stub = { kind: 'more', data: { id: '_', count: 0, parent_id: 't1_a', children: [] } };
    const comment = (id: string, parent: string) => ({ kind: 't1', data: row({ id, parent }) });
    const { slices } = await walk((request) => {
      entered.push(request.path);
      if (entered.length > 2) throw new Error('requested again');
      const replies = entered.length === 1 ? [] : [comment('b', 'a')];
      return Promise.resolve(
        request.read([listing([]), listing([comment('a', 'p'), ...replies, stub, stub])])!,
      );
    });
    expect(entered).toEqual(['/comments/p', '/comments/p/_/a']);
    expect(slices.flatMap((slice) => slice.comments)).toHaveLength(2);
  });

  it('merges stubs of the whole thread into full batches', async () => {
    const nodes = Array.from({ length: 250 }, (_, at) => ({ id: `r${at}`, parent: 'p' })).flatMap((root) => [
      root,
      { id: `${root.id}x`, parent: root.id },
    ]);
    const thread = new StubbedThread(nodes, (parent) => (parent === 'p' ? 'shown' : 'stub'));
    await walk(thread.fetch);
    expect(thread.batches.map((batch) => batch.length)).toEqual([100, 100, 50]);
  });

  it('fills a batch with the stubs of continued threads', async () => {
    const under = (parent: string, count: number) =>
      Array.from({ length: count }, (_, at) => ({ id: `${parent}${at}`, parent }));
    const deep = { id: 'deep', parent: 'p' };
    const nodes = [deep, { id: 'mid', parent: 'deep' }, ...under('mid', 40), { id: 'wide', parent: 'p' }];
    const thread = new StubbedThread([...nodes, ...under('wide', 60)], (parent) =>
      parent === 'deep' ? 'thread' : parent === 'p' ? 'shown' : 'stub',
    );
    await walk(thread.fetch);
    expect(thread.entered).toEqual(['deep']);
    expect(thread.batches.map((batch) => batch.length)).toEqual([100]);
  });

  it('yields a large thread in slices of at most 500', async () => {
    const nodes = Array.from({ length: 1_201 }, (_, at) => ({ id: `r${at}`, parent: 'p' }));
    const { slices } = await walk(new StubbedThread(nodes, () => 'shown').fetch);
    expect(slices.map((slice) => slice.comments.length)).toEqual([500, 500, 201]);
  });

  it('yields replies to comments that were never delivered at the end', async () => {
    const answer = [
      listing([]),
      listing([
        { kind: 't1', data: { ...row({ id: 'child', parent: 'gone' }), depth: 4 } },
        { kind: 't1', data: row({ id: 'grandchild', parent: 'child' }) },
        { kind: 't1', data: row({ id: 'ring1', parent: 'ring2' }) },
        { kind: 't1', data: row({ id: 'ring2', parent: 'ring1' }) },
        { kind: 't1', data: { body: 'no id' } },
        null,
      ]),
    ];
    const { slices } = await walk((request) => Promise.resolve(request.read(answer)!));
    const depths = Object.fromEntries(
      slices.flatMap((slice) => slice.comments).map(({ id, depth }) => [id, depth]),
    );
    expect(depths).toMatchObject({ t1_child: 4, t1_grandchild: 5 });
    expect(Object.keys(depths).sort()).toEqual(['t1_child', 't1_grandchild', 't1_ring1', 't1_ring2']);
    expect(missingOf(slices)).toBe(1);
  });

  it.each(['t1_a', 't3_p'])(
    'shows a comment of a stub below %s that counts none by a page',
    async (parent) => {
      const stub = { kind: 'more', data: { id: 'k', count: 0, parent_id: parent, children: ['k'] } };
      const comment = (id: string, below: string) => ({ kind: 't1', data: row({ id, parent: below }) });
      const below = parent === 't1_a' ? 'a' : 'p';
      const requested: string[] = [];
      const { slices } = await walk((request) => {
        requested.push(request.path);
        if (request.path === '/api/morechildren')
          return Promise.resolve(request.read({ json: { errors: [], data: { things: [] } } })!);
        const shown = requested.length === 1 ? stub : comment('k', below);
        return Promise.resolve(request.read([listing([]), listing([comment('a', 'p'), shown])])!);
      });
      expect(requested).toEqual([
        '/comments/p',
        '/api/morechildren',
        `/comments/p/_/${parent === 't1_a' ? 'a' : 'k'}`,
      ]);
      expect(slices.flatMap((slice) => slice.comments.map(({ id }) => id))).toEqual(['t1_a', 't1_k']);
      expect(missingOf(slices)).toBe(0);
    },
  );

  it('recognizes the author of the post where the platform does not', async () => {
    const nodes = ['op', 'a'].map((id) => ({ ...row({ id, parent: 'p' }), author: id }));
    const answer = [
      listing([{ kind: 't3', data: { id: 'p', author: 'op' } }]),
      listing(nodes.map((data) => ({ kind: 't1', data }))),
    ];
    const { slices } = await walk((request) => Promise.resolve(request.read(answer)!));
    expect(slices.flatMap((slice) => slice.comments.map((comment) => comment.isSubmitter))).toEqual([
      true,
      false,
    ]);
  });

  it('keeps the order of replies that arrive before their parent', async () => {
    const ids = ['first', 'second', 'third'];
    const early = ids.map((id) => ({ kind: 't1', data: row({ id, parent: 'late' }) }));
    const answer = [listing([]), listing([...early, { kind: 't1', data: row({ id: 'late', parent: 'p' }) }])];
    const { slices } = await walk((request) => Promise.resolve(request.read(answer)!));
    expect(slices.flatMap((slice) => slice.comments).map(({ id, depth }) => [id, depth])).toEqual([
      ['t1_late', 0],
      ...ids.map((id) => [`t1_${id}`, 1]),
    ]);
  });

  it.each([
    ['no comment at all', []],
    [
      'the comment it belongs to alone',
      [{ kind: 't1', data: { ...row({ id: 'a', parent: 'p' }), replies: '' } }],
    ],
  ])('counts one missing comment for a continued thread of %s', async (_, things) => {
    const nodes = [
      { id: 'a', parent: 'p' },
      { id: 'b', parent: 'a' },
    ];
    const thread = new StubbedThread(nodes, (parent) => (parent === 'a' ? 'thread' : 'shown'));
    const post = listing([{ kind: 't3', data: { id: 'p', author: 'op', created_utc: 1_700_000_000 } }]);
    const { slices } = await walk((request) =>
      /\/_\//.test(request.path)
        ? Promise.resolve(request.read([post, listing(things)])!)
        : thread.fetch(request),
    );
    expect(slices.flatMap((slice) => slice.comments).map(({ id }) => id)).toEqual(['t1_a']);
    expect(missingOf(slices)).toBe(1);
  });

  describe('when the platform refuses', () => {
    const nodes = [
      { id: 'a', parent: 'p' },
      { id: 'b', parent: 'a' },
      { id: 'c', parent: 'a' },
    ];
    const refuse = (path: RegExp, code: PlatformErrorCode, how: 'stub' | 'thread') => {
      const thread = new StubbedThread(nodes, (parent) => (parent === 'a' ? how : 'shown'));
      return <T>(request: ApiRequest<T>): Promise<T> =>
        path.test(request.path) ? Promise.reject(new PlatformError(code, 'refused')) : thread.fetch(request);
    };

    it.each([
      ['a batch, its ids are missing', /morechildren/, 'stub', 1, 2],
      ['a continued thread, it counts as one', /\/_\//, 'thread', 1, 1],
      ['the whole tree, it counts as one', /comments\/p$/, 'stub', 0, 1],
    ] as const)('%s', async (_name, path, how, comments, missing) => {
      const { slices } = await walk(refuse(path, 'target_not_found', how));
      expect(slices.flatMap((slice) => slice.comments)).toHaveLength(comments);
      expect(missingOf(slices)).toBe(missing);
    });

    it.each(['credentials_refused', 'blocked', 'rate_limited', 'unavailable'] as const)(
      'everything (%s), the walk fails',
      async (code) => {
        await expect(walk(refuse(/./, code, 'stub'))).rejects.toMatchObject({ code });
      },
    );

    it.each([
      ['a batch', /morechildren/, 'stub', 2],
      ['a continued thread', /\/_\//, 'thread', 1],
    ] as const)('%s for ever with an error, it is missing', async (_name, path, how, missing) => {
      const { slices } = await walk(refuse(path, 'unavailable', how));
      expect(slices.flatMap((slice) => slice.comments)).toHaveLength(1);
      expect(missingOf(slices)).toBe(missing);
    });

    it('two parts in a row with an error, the walk fails after yielding what it received', async () => {
      const many = Array.from({ length: 250 }, (_, at) => ({ id: `r${at}`, parent: 'a' }));
      const thread = new StubbedThread([nodes[0]!, ...many], (parent) => (parent === 'a' ? 'stub' : 'shown'));
      const slices: CommentSlice[] = [];
      const walked = (async () => {
        const fetch = <T>(request: ApiRequest<T>): Promise<T> =>
          /morechildren/.test(request.path)
            ? Promise.reject(new PlatformError('unavailable', 'status 500'))
            : thread.fetch(request);
        for await (const slice of walkTree(POST, fetch)) slices.push(slice);
      })();
      await expect(walked).rejects.toMatchObject({ code: 'unavailable' });
      expect(slices.flatMap((slice) => slice.comments)).toHaveLength(1);
      expect(missingOf(slices)).toBe(250);
    });
  });
});
