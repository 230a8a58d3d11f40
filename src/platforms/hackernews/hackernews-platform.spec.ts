import { type ServerResponse } from 'node:http';
import { AcceleratedTime } from '../../../test/support/accelerated-time.js';
import { HttpReceiver, type ReceivedRequest, sendJson } from '../../../test/support/receivers.js';
import { InProcessRequestBudget } from '../http/in-process-request-budget.js';
import type { ListingRef, PlatformComment, PlatformSession, TargetType } from '../platform.js';
import { HackerNewsPlatform } from './hackernews-platform.js';

/** Times in tests are seconds after this one. */
const START = 1_700_000_000;

const hit = (id: number, more: Record<string, unknown> = {}) => ({
  objectID: String(id),
  created_at_i: START + id,
  title: `Title ${id}`,
  author: 'someone',
  points: 3,
  num_comments: 2,
  _tags: ['story', 'author_someone', `story_${id}`],
  ...more,
});
const listing = (name: string, wanted = 100, type: TargetType = 'forum'): ListingRef => ({
  target: { type, name },
  name: 'date',
  wanted,
});
const POST = { id: 'hn_1', forum: 'hn:ask', permalink: '/item?id=1' };

describe('Hacker News over HTTP', () => {
  let server: HttpReceiver;
  let platform: HackerNewsPlatform;
  let requests: number;
  const session: PlatformSession = {
    signal: new AbortController().signal,
    workspaceId: 'w',
    priority: 'normal',
    onRequest: () => (requests += 1),
  };

  async function serve(
    answer: (request: ReceivedRequest, response: ServerResponse, nth: number) => void,
  ): Promise<void> {
    let received = 0;
    server = await HttpReceiver.serve((request, response) => answer(request, response, ++received));
    const time = new AcceleratedTime();
    requests = 0;
    platform = new HackerNewsPlatform(
      {
        baseUrl: `${server.url}/api/v1/`,
        userAgent: 'agent/1.0',
        budget: new InProcessRequestBudget(1_000_000, time.now, time.sleep),
        dependencies: time.dependencies,
      },
      1_000,
    );
  }
  const comments = async (): Promise<{ comments: PlatformComment[]; missing: number }> => {
    const all: PlatformComment[] = [];
    let missing = 0;
    for await (const slice of platform.walkComments(POST, session)) {
      all.push(...slice.comments);
      missing = slice.missing;
    }
    return { comments: all, missing };
  };
  afterEach(async () => {
    await platform.close();
    await server.close();
  });

  it.each<[TargetType, string, number, string | null, Record<string, string>]>([
    ['forum', 'new', 100, null, { tags: 'story', hitsPerPage: '150' }],
    ['forum', 'top', 1, null, { tags: 'front_page', hitsPerPage: '100' }],
    [
      'forum',
      'ask',
      5_000,
      '77',
      { tags: 'ask_hn', hitsPerPage: '1000', numericFilters: 'created_at_i<=77' },
    ],
    ['forum', 'show', 100, null, { tags: 'show_hn', hitsPerPage: '150' }],
    ['forum', 'job', 100, null, { tags: 'job', hitsPerPage: '150' }],
    ['user', 'pg', 100, null, { tags: 'author_pg,(story,poll,job)', hitsPerPage: '150' }],
    ['forum', 'search/solar cell', 100, null, { tags: 'story', hitsPerPage: '150', query: 'solar cell' }],
  ])('requests %s %s with %i wanted after %s', async (type, name, wanted, after, params) => {
    await serve((_request, response) => sendJson(response, 200, { hits: [hit(5)] }));
    await platform.fetchListing(listing(name, wanted, type), after, session);
    const [request] = server.all;
    expect(request!.path).toBe('/api/v1/search_by_date');
    expect(Object.fromEntries(request!.params)).toEqual(params);
  });

  it.each<[TargetType, string, string]>([
    ['forum', 'comments', 'comment'],
    ['user', 'pg/comments', 'author_pg,comment'],
  ])('lists the stories of the newest comments of %s %s, each once', async (type, name, tags) => {
    const comment = (id: number, story: number) => ({
      ...hit(id, { story_id: story, title: null, _tags: ['comment', `story_${story}`] }),
    });
    await serve((_request, response, nth) =>
      sendJson(response, 200, {
        hits: nth === 1 ? [comment(30, 2), comment(20, 7), comment(19, 2), comment(18, 9)] : [hit(7), hit(2)],
      }),
    );
    const { posts, after } = await platform.fetchListing(listing(name, 100, type), null, session);
    expect([posts.map(({ id }) => id), after]).toEqual([['hn_2', 'hn_7'], String(START + 18)]);
    const [comments, stories] = server.all.map(({ params }) => params);
    expect(comments!.get('tags')).toBe(tags);
    expect(stories!.get('tags')).toBe('(story,poll,job),(story_2,story_7,story_9)');
  });

  it('distinguishes an unknown user from one without posts', async () => {
    await serve((request, response) =>
      request.path.endsWith('/users/quiet')
        ? sendJson(response, 200, { username: 'quiet' })
        : request.path.includes('/users/')
          ? sendJson(response, 404, { status: 404, error: 'Not Found' })
          : sendJson(response, 200, { hits: [] }),
    );
    expect((await platform.fetchListing(listing('quiet', 100, 'user'), null, session)).posts).toEqual([]);
    await expect(platform.fetchListing(listing('never', 100, 'user'), null, session)).rejects.toMatchObject({
      code: 'target_not_found',
      message: 'There is no user "hn:never" on Hacker News',
    });
  });

  it('maps posts of every kind and wire', async () => {
    const hits = [
      hit(9, { url: 'https://example.com/?a=1&b=2', title: 'A &amp; B' }),
      hit(8, { _tags: ['story', 'ask_hn'], title: 'Ask HN: why?', story_text: 'a<p>b' }),
      hit(7, { _tags: ['story', 'show_hn'], num_comments: null, children: [70, 71] }),
      hit(6, { _tags: ['job'], points: null, num_comments: undefined }),
      hit(5, { _tags: ['poll'], author: null }),
      hit(4, { _tags: ['comment', 'story_1'] }),
      hit(3, { title: null }),
    ];
    await serve((_request, response) => sendJson(response, 200, { hits }));
    const { posts, after } = await platform.fetchListing(listing('new'), null, session);
    expect(after).toBe(String(START + 3));
    expect(
      posts.map((post) => [post.id, post.forum, post.numComments, post.score, post.postType, post.author]),
    ).toEqual([
      ['hn_9', 'hn:story', 2, 3, 'link', 'someone'],
      ['hn_8', 'hn:ask', 2, 3, 'self', 'someone'],
      ['hn_7', 'hn:show', 2, 3, 'self', 'someone'],
      ['hn_6', 'hn:job', 0, 0, 'self', 'someone'],
      ['hn_5', 'hn:story', 2, 3, 'self', '[deleted]'],
    ]);
    expect(posts[0]).toMatchObject({
      title: 'A & B',
      url: 'https://example.com/?a=1&b=2',
      permalink: '/item?id=9',
      createdUtc: new Date((START + 9) * 1_000),
    });
    expect(posts[1]).toMatchObject({ selftext: 'a\n\nb', url: null });
  });

  it('continues at the oldest second of a full page', async () => {
    const full = (second: number) =>
      Array.from({ length: 100 }, (_one, at) => hit(1_000 + at, { created_at_i: START + second }));
    await serve((_request, response) =>
      sendJson(response, 200, { hits: full(50), hitsPerPage: 100, nbHits: 7_000 }),
    );
    expect((await platform.fetchListing(listing('new', 1), null, session)).after).toBe(String(START + 50));
    expect((await platform.fetchListing(listing('new', 1), String(START + 60), session)).after).toBe(
      String(START + 50),
    );
    expect((await platform.fetchListing(listing('new', 1), String(START + 50), session)).after).toBe(
      String(START + 49),
    );
  });

  it('stops at a full page that is certain to be the last', async () => {
    const hits = Array.from({ length: 100 }, (_one, at) => hit(100 - at));
    await serve((_request, response) =>
      sendJson(response, 200, { hits, hitsPerPage: 100, nbHits: 100, exhaustive: { nbHits: true } }),
    );
    expect((await platform.fetchListing(listing('new', 1), null, session)).after).toBeNull();
  });

  it('reads a thread in one request, without deleted comments and with their replies', async () => {
    const node = (id: number, more: Record<string, unknown> = {}) => ({
      id,
      type: 'comment',
      author: `author${id}`,
      text: `text ${id}`,
      created_at_i: START + id,
      points: null,
      children: [],
      ...more,
    });
    await serve((_request, response) =>
      sendJson(response, 200, {
        ...node(1, { type: 'story', author: 'author3' }),
        children: [
          node(2, { author: null, text: null, story_id: null, children: [node(3)] }),
          { id: 4, children: [node(5, { created_at_i: undefined, created_at: '2026-01-02T03:04:05.000Z' })] },
          node(6, { children: [node(7), node(6)] }),
          { text: null },
        ],
        options: [node(8, { type: 'pollopt' })],
      }),
    );
    const walked = await comments();
    expect(walked.comments.map(({ id, parentId, depth }) => [id, parentId, depth])).toEqual([
      ['hn_3', 'hn_2', 1],
      ['hn_5', 'hn_4', 1],
      ['hn_6', 'hn_1', 0],
      ['hn_7', 'hn_6', 1],
    ]);
    expect(walked.comments[0]).toMatchObject({ isSubmitter: true, score: 0, body: 'text 3', postId: 'hn_1' });
    expect(walked.comments[1]!.createdUtc).toEqual(new Date('2026-01-02T03:04:05Z'));
    expect(requests).toBe(1);
  });

  it('counts a thread that is gone as missing', async () => {
    await serve((_request, response) => {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<html>Not found</html>');
    });
    expect(await comments()).toEqual({ comments: [], missing: 1 });
  });

  it.each([
    ['an HTML page', 200, '<html>Just a moment...</html>'],
    ['a refused client', 403, '{"message":"Forbidden"}'],
    ['a server error', 503, '<html>503</html>'],
    ['too many requests', 429, 'Too many requests'],
    ['another thread', 200, '{"id":2,"children":[]}'],
  ])('repeats a request after %s', async (_, status, body) => {
    await serve((_request, response, nth) => {
      if (nth > 2) return sendJson(response, 200, { id: 1, children: [] });
      response.writeHead(status).end(body);
    });
    expect(await comments()).toEqual({ comments: [], missing: 0 });
    expect(requests).toBe(3);
  });

  it.each([
    ['a page that is not JSON', 200, 'bad_answer', 9],
    ['missing credentials', 401, 'blocked', 3],
    ['a refused client', 403, 'blocked', 7],
    ['too many requests', 429, 'rate_limited', 9],
    ['a server error', 503, 'unavailable', 9],
  ])('gives up in the end after %s', async (_, status, code, attempts) => {
    await serve((_request, response) => void response.writeHead(status).end('x'));
    await expect(platform.fetchListing(listing('new'), null, session)).rejects.toMatchObject({ code });
    expect(requests).toBe(attempts);
  });

  it('names what the API refused', async () => {
    await serve((_request, response) => sendJson(response, 400, { code: 400, message: 'invalid numeric' }));
    await expect(platform.fetchListing(listing('new'), null, session)).rejects.toMatchObject({
      code: 'bad_answer',
      message: expect.stringContaining('invalid numeric'),
    });
  });

  it('looks posts up by id', async () => {
    await serve((_request, response) => sendJson(response, 200, { hits: [hit(2), hit(9)] }));
    expect((await platform.fetchPosts(['hn_1', 'hn_2'], session)).map(({ id }) => id)).toEqual(['hn_2']);
    expect(server.all[0]!.params.get('tags')).toBe('(story,poll,job),(story_1,story_2)');
  });

  it('reports a post as gone when neither the search nor its thread has it', async () => {
    await serve((request, response) =>
      request.path.endsWith('/search_by_date')
        ? sendJson(response, 200, { hits: [hit(1)] })
        : request.path.endsWith('/items/2')
          ? sendJson(response, 200, { id: 2, children: [] })
          : sendJson(response, 404, { status: 404 }),
    );
    expect(await platform.lookup.findGonePosts(['hn_1', 'hn_2', 'hn_3'], session)).toEqual([
      {
        id: 'hn_3',
        title: '[deleted]',
        author: '[deleted]',
        selftext: '[deleted]',
        url: null,
        hasMedia: false,
        mediaUrls: [],
        reason: 'deleted',
      },
    ]);
    expect(requests).toBe(3);
  });

  it.each([{ found: [] as number[] }, { found: [1] }])(
    'reports no post as gone while the index lacks most of a batch, and has $found',
    async ({ found }) => {
      await serve((request, response) =>
        request.path.endsWith('/search_by_date')
          ? sendJson(response, 200, { hits: found.map((number) => hit(number)) })
          : sendJson(response, 404, { status: 404 }),
      );
      expect(await platform.lookup.findGonePosts(['hn_1', 'hn_2', 'hn_3'], session)).toEqual([]);
    },
  );

  it('passes over a comment whose item keeps failing', async () => {
    await serve((request, response) =>
      request.path.endsWith('/1')
        ? sendJson(response, 200, { id: 1, children: [] })
        : sendJson(response, request.path.endsWith('/5') ? 500 : 404, {}),
    );
    const gone = await platform.lookup.findGoneComments(['hn_5', 'hn_6', 'hn_7'], 'hn_1', session);
    expect(gone.map(({ id }) => id)).toEqual(['hn_6', 'hn_7']);
  });

  it('reports comments as gone that their thread no longer has', async () => {
    const children = [
      { id: 5, author: 'a', text: 'b', children: [] },
      { id: 6, author: null, text: null, children: [{ id: 7, author: 'a', text: 'c', children: [] }] },
    ];
    await serve((_request, response, nth) =>
      nth === 1 ? sendJson(response, 200, { id: 1, children }) : sendJson(response, 404, {}),
    );
    const ids = ['hn_5', 'hn_6', 'hn_7', 'hn_8'];
    const gone = { author: '[deleted]', body: '[deleted]', reason: 'deleted' };
    expect(await platform.lookup.findGoneComments(ids, 'hn_1', session)).toEqual([
      { id: 'hn_6', ...gone },
      { id: 'hn_8', ...gone },
    ]);
    expect(await platform.lookup.findGoneComments(ids, 'hn_1', session)).toEqual([]);
  });

  it('reports no comment as gone that was moved to another thread', async () => {
    const moved = [{ id: 9, author: 'b', text: 'd', children: [{ id: 12, author: 'c', children: [] }] }];
    const items: Record<string, object> = {
      1: { id: 1, author: 'a', children: [{ id: 5, author: 'a', text: 'b', children: [] }] },
      8: { id: 8, author: 'a', text: 'c', children: moved },
      10: { id: 10, author: null, text: null, children: [{ id: 11, author: 'a', text: 'e', children: [] }] },
    };
    await serve((request, response) => {
      const item = items[request.path.split('/').at(-1)!];
      return sendJson(response, item === undefined ? 404 : 200, item ?? {});
    });
    const ids = ['hn_12', 'hn_11', 'hn_10', 'hn_9', 'hn_8', 'hn_7', 'hn_5'];
    expect((await platform.lookup.findGoneComments(ids, 'hn_1', session)).map(({ id }) => id)).toEqual([
      'hn_7',
      'hn_10',
    ]);
    expect(server.all.map(({ path }) => path.split('/').at(-1))).toEqual(['1', '7', '8', '10']);
  });

  it('requests at most 100 comments of a thread', async () => {
    await serve((request, response) =>
      request.path.endsWith('/1')
        ? sendJson(response, 200, { id: 1, children: [] })
        : sendJson(response, 404, {}),
    );
    const ids = Array.from({ length: 300 }, (_one, at) => `hn_${at + 2}`);
    expect(await platform.lookup.findGoneComments(ids, 'hn_1', session)).toHaveLength(100);
    expect(requests).toBe(101);
  });

  it.each(['{"id":1}', '{"id":1,"children":null}'])(
    'does not report a comment as deleted when the response has no children: %s',
    async (body) => {
      await serve((request, response) =>
        request.path.endsWith('/1')
          ? response.writeHead(200, { 'content-type': 'application/json' }).end(body)
          : sendJson(response, 404, {}),
      );
      await expect(platform.lookup.findGoneComments(['hn_5'], 'hn_1', session)).rejects.toMatchObject({
        code: 'bad_answer',
      });
    },
  );
});
