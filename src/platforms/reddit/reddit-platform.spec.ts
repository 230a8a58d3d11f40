import { type ServerResponse } from 'node:http';
import { AcceleratedTime } from '../../../test/support/accelerated-time.js';
import { HttpReceiver, type ReceivedRequest, sendJson } from '../../../test/support/receivers.js';
import { type ListingRef, type PlatformSession } from '../platform.js';
import { RedditPlatform } from './reddit-platform.js';
import { InProcessRequestBudget } from '../http/in-process-request-budget.js';

const NEW: ListingRef = { target: { type: 'forum', name: 'technology' }, name: 'new', wanted: 100 };
const t3 = (id: string, more = {}) => ({
  kind: 't3',
  data: { id, subreddit: 'technology', title: id, created_utc: 1_700_000_000, ...more },
});
const page = (children: unknown[], after: string | null = null) => ({
  kind: 'Listing',
  data: { children, after },
});

describe('the platform over HTTP', () => {
  let server: HttpReceiver;
  let platform: RedditPlatform;
  let time: AcceleratedTime;
  let logged: string[];
  let requests: number;
  let cancel: AbortController;
  let session: PlatformSession;

  /** `nth` counts API requests, without token requests. */
  async function serve(
    answer: (request: ReceivedRequest, response: ServerResponse, nth: number) => void,
  ): Promise<void> {
    let received = 0;
    let tokens = 0;
    server = await HttpReceiver.serve((request, response) => {
      if (request.path === '/auth/api/v1/access_token')
        return sendJson(response, 200, { access_token: `token-${++tokens}`, expires_in: 3_600 });
      answer(request, response, ++received);
    });
    time = new AcceleratedTime();
    logged = [];
    requests = 0;
    cancel = new AbortController();
    session = {
      signal: cancel.signal,
      workspaceId: 'w',
      priority: 'normal',
      onRequest: () => (requests += 1),
    };
    platform = new RedditPlatform({
      baseUrl: `${server.url}/api-root/`,
      authUrl: `${server.url}/auth`,
      clientId: 'client',
      clientSecret: 'secret',
      userAgent: 'agent/1.0',
      budget: new InProcessRequestBudget(1_000_000, time.now, time.sleep),
      dependencies: time.dependencies,
      onLog: (event) => logged.push(event),
    });
  }
  const questions = () => server.all.filter((request) => !request.path.startsWith('/auth'));
  afterEach(async () => {
    await platform.close();
    await server.close();
  });

  describe('a listing', () => {
    it.each<[ListingRef, string | null, string, Record<string, string>]>([
      [NEW, null, '/r/technology/new', {}],
      [NEW, 't3_x', '/r/technology/new', { after: 't3_x' }],
      [{ ...NEW, name: 'top/year' }, null, '/r/technology/top', { t: 'year' }],
      [{ ...NEW, name: 'hot' }, null, '/r/technology/hot', {}],
      [
        { target: { type: 'user', name: 'some-one' }, name: 'controversial/all', wanted: 100 },
        null,
        '/user/some-one/submitted',
        { sort: 'controversial', t: 'all' },
      ],
    ])('%j after %s', async (listing, after, path, params) => {
      await serve((_request, response) => sendJson(response, 200, page([])));
      await platform.fetchListing(listing, after, session);
      const [request] = questions();
      expect(request!.path).toBe(`/api-root${path}`);
      expect(Object.fromEntries(request!.params)).toEqual({ limit: '100', raw_json: '1', ...params });
      expect(request!.headers.authorization).toBe('Bearer token-1');
    });

    it('lists the posts on which an account commented, newest comment first, each once', async () => {
      const t1 = (id: string, post: string) => ({ kind: 't1', data: { id, link_id: `t3_${post}` } });
      await serve((request, response) => {
        const isLookUp = request.path.includes('/api/info');
        const comments = page([t1('c', 'old'), t1('b', 'new'), t1('a', 'old'), t1('x', 'gone')], 't1_x');
        sendJson(response, 200, isLookUp ? page([t3('new'), t3('old')]) : comments);
      });
      const target = { type: 'user', name: 'someone/comments' } as const;
      const { posts, after } = await platform.fetchListing({ ...NEW, target }, null, session);
      expect([posts.map(({ id }) => id), after]).toEqual([['t3_old', 't3_new'], 't1_x']);
      const [first, second] = questions();
      expect(first!.path).toMatch(/\/user\/someone\/comments$/);
      expect(second!.params.get('id')).toBe('t3_old,t3_new,t3_gone');
    });

    it('has each post once and omits other things and unreadable rows', async () => {
      const children = [
        t3('a'),
        { kind: 't1', data: { id: 'c' } },
        t3('b', { url: `https://example.com/${'x'.repeat(9_000)}` }),
        t3('a'),
        t3('bad', { title: 7 }),
        null,
      ];
      await serve((_request, response) => sendJson(response, 200, page(children, 't3_b')));
      let unread = 0;
      const telling = { ...session, onUnread: (count: number) => (unread += count) };
      const { posts, after } = await platform.fetchListing(NEW, null, telling);
      expect(posts.map((post) => post.id)).toEqual(['t3_a', 't3_b']);
      expect([after, unread]).toEqual(['t3_b', 2]);
      expect(logged).toEqual(['URLs left out']);
    });

    it('ends when a page repeats its own cursor', async () => {
      await serve((_request, response) => sendJson(response, 200, page([t3('a')], 't3_same')));
      expect((await platform.fetchListing(NEW, 't3_same', session)).after).toBeNull();
    });

    it.each(['..', 'a/b', 'a b', '', 'a?b', '%2e%2e'])('is never requested for the name %j', async (name) => {
      await serve((_request, response) => sendJson(response, 200, page([])));
      await expect(
        platform.fetchListing({ ...NEW, target: { type: 'forum', name } }, null, session),
      ).rejects.toMatchObject({ code: 'target_not_found' });
      expect(server.all).toHaveLength(0);
    });
  });

  it('looks posts up by id', async () => {
    await serve((_request, response) => sendJson(response, 200, page([t3('b'), { kind: 't5', data: {} }])));
    expect(await platform.fetchPosts([], session)).toEqual([]);
    const posts = await platform.fetchPosts(['t3_a', 't3_b'], session);
    expect(posts.map((post) => post.id)).toEqual(['t3_b']);
    expect(questions()).toHaveLength(1);
    expect(questions()[0]!.params.get('id')).toBe('t3_a,t3_b');
  });

  it('walks a tree in the default order and expands it with one POST', async () => {
    const comment = (id: string, parent: string) => ({
      kind: 't1',
      data: { id, parent_id: parent, body: id, created_utc: 1_700_000_000 },
    });
    await serve((request, response) => {
      if (request.path.endsWith('/morechildren'))
        return sendJson(response, 200, { json: { errors: [], data: { things: [comment('d', 't1_c')] } } });
      const stub = { kind: 'more', data: { id: 'm', parent_id: 't1_c', children: ['d', 'e'] } };
      sendJson(response, 200, [page([t3('p')]), page([comment('c', 't3_p'), stub])]);
    });
    const slices = [];
    for await (const slice of platform.walkComments({ id: 't3_p', forum: 'x', permalink: '/x/' }, session))
      slices.push(slice);
    expect(slices.flatMap((slice) => slice.comments.map(({ id, depth }) => [id, depth]))).toEqual([
      ['t1_c', 0],
      ['t1_d', 1],
    ]);
    expect(slices.at(-1)!.missing).toBe(1);
    const [tree, more] = questions();
    expect(tree!.path).toBe('/api-root/comments/p');
    expect(tree!.params.has('sort')).toBe(false);
    expect(more).toMatchObject({ method: 'POST', path: '/api-root/api/morechildren' });
    expect(Object.fromEntries(more!.form)).toEqual({
      api_type: 'json',
      link_id: 't3_p',
      children: 'd,e',
      limit_children: 'false',
    });
  });

  describe('temporary failures', () => {
    it.each<[string, (response: ServerResponse) => void]>([
      ['429 with a wait', (response) => void response.writeHead(429, { 'retry-after': '4' }).end('<html>')],
      ['429 in a body', (response) => sendJson(response, 200, { error: 429 })],
      ['500 without a body', (response) => void response.writeHead(500).end()],
      [
        '521 as a page',
        (response) => void response.writeHead(521).end('<html><title>Web server is down</title>'),
      ],
      ['half an answer', (response) => void response.end('{"kind": "Listing", "da')],
      ['no answer', (response) => void response.end()],
      ['another answer', (response) => sendJson(response, 200, { kind: 't2', data: {} })],
      ['a reset', (response) => response.socket!.resetAndDestroy()],
      ['a page of an unknown kind', (response) => void response.end('<html><body>hello</body></html>')],
    ])('%s, three times in a row', async (_name, fault) => {
      await serve((_request, response, nth) =>
        nth <= 3 ? fault(response) : sendJson(response, 200, page([t3('a')])),
      );
      expect((await platform.fetchListing(NEW, null, session)).posts).toHaveLength(1);
      expect(requests).toBe(4);
      expect(logged).toEqual(Array(3).fill('platform request retried'));
    });

    it('a refused token, renewed each time', async () => {
      await serve((_request, response, nth) =>
        nth <= 2 ? sendJson(response, 401, { error: 401 }) : sendJson(response, 200, page([])),
      );
      await platform.fetchListing(NEW, null, session);
      expect(questions().map((request) => request.headers.authorization)).toEqual([
        'Bearer token-1',
        'Bearer token-2',
        'Bearer token-3',
      ]);
      expect(time.waits).toEqual([0, 0]);
    });
  });

  describe('permanent failures', () => {
    const BLOCK =
      '<!doctype html><html><head><title>Blocked</title></head><body>whoa there, pardner!</body></html>';
    it.each<[string, (response: ServerResponse) => void, string, RegExp, number]>([
      ['a block page', (r) => void r.writeHead(403).end(BLOCK), 'blocked', /page "Blocked"/, 5],
      ['a block page that says 200', (r) => void r.end(BLOCK), 'blocked', /page "Blocked"/, 5],
      ['refused tokens', (r) => sendJson(r, 401, {}), 'credentials_refused', /PLATFORM_CLIENT_ID/, 5],
      ['an outage', (r) => void r.writeHead(503).end(), 'unavailable', /503.*forum "technology"/, 9],
      ['nonsense', (r) => void r.end('nonsense'), 'bad_answer', /could not be read/, 9],
      [
        'an endless wait',
        (r) => void r.writeHead(429, { 'retry-after': '3600' }).end(),
        'rate_limited',
        /3600 s/,
        1,
      ],
      ['a full budget', (r) => sendJson(r, 429, { error: 429 }), 'rate_limited', /PER_MINUTE/, 9],
      [
        '404',
        (r) => sendJson(r, 404, { message: 'Not Found', error: 404 }),
        'target_not_found',
        /no forum/,
        1,
      ],
      ['404 as a page', (r) => void r.writeHead(404).end('<html>'), 'target_not_found', /no forum/, 1],
      [
        '403',
        (r) => sendJson(r, 403, { message: 'Forbidden', error: 403 }),
        'target_forbidden',
        /private/,
        1,
      ],
      ['a private forum', (r) => sendJson(r, 403, { reason: 'private' }), 'target_private', /approved/, 1],
      [
        'a quarantined forum',
        (r) => sendJson(r, 403, { reason: 'quarantined', quarantine_message: 'shocking &amp; vile' }),
        'target_quarantined',
        /says: shocking & vile/,
        1,
      ],
      ['a banned forum', (r) => sendJson(r, 404, { reason: 'banned' }), 'target_banned', /banned/, 1],
      ['a gated forum', (r) => sendJson(r, 403, { reason: 'gated' }), 'target_gated', /gated/, 1],
      ['an unknown reason', (r) => sendJson(r, 403, { reason: 'gold_only' }), 'target_forbidden', /forum/, 1],
      [
        'a token without the scope',
        (r) => sendJson(r, 403, {}, { 'www-authenticate': 'Bearer error="insufficient_scope"' }),
        'credentials_refused',
        /scope/,
        1,
      ],
      ['400', (r) => void r.writeHead(400).end('Bad Request'), 'bad_answer', /400/, 1],
      [
        'a redirect to the search',
        (r) => void r.writeHead(302, { location: '/subreddits/search.json?q=technology' }).end(),
        'target_not_found',
        /no forum/,
        1,
      ],
      [
        'a redirect to the opt-in',
        (r) => void r.writeHead(302, { location: 'https://www.reddit.com/quarantine?dest=x' }).end(),
        'target_quarantined',
        /opted in/,
        1,
      ],
      [
        'a redirect to another host',
        (r) => void r.writeHead(302, { location: 'https://elsewhere.example/r/technology/new' }).end(),
        'bad_answer',
        /another host/,
        1,
      ],
      ['a redirect to nowhere', (r) => void r.writeHead(302).end(), 'bad_answer', /not followed/, 1],
    ])('%s', async (_name, answer, code, message, attempts) => {
      await serve((_request, response) => answer(response));
      const listing = platform.fetchListing(NEW, null, session);
      await expect(listing).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
      expect(requests).toBe(attempts);
    });

    it('a redirect loop', async () => {
      await serve(
        (request, response) => void response.writeHead(302, { location: `${request.path}/` }).end(),
      );
      await expect(platform.fetchListing(NEW, null, session)).rejects.toMatchObject({ code: 'bad_answer' });
      expect(requests).toBe(4);
    });
  });

  it('leaves advertisements out of a listing', async () => {
    await serve((_request, response) =>
      sendJson(response, 200, page([t3('a'), t3('ad', { promoted: true }), t3('b', { promoted: false })])),
    );
    const { posts } = await platform.fetchListing(NEW, null, session);
    expect(posts.map(({ id }) => id)).toEqual(['t3_a', 't3_b']);
    expect(logged).toEqual([]);
  });

  it('follows a redirect on its own host', async () => {
    await serve((request, response) =>
      request.path.endsWith('/Technology/new')
        ? sendJson(response, 200, page([t3('a')]))
        : void response.writeHead(301, { location: '/api-root/r/Technology/new?limit=100' }).end(),
    );
    expect((await platform.fetchListing(NEW, null, session)).posts).toHaveLength(1);
    expect(questions()[1]!.params.get('raw_json')).toBe('1');
  });

  it('expands the next tree after the expansion of one was refused', async () => {
    const reply = { id: 'd', parent_id: 't3_p', body: 'd', created_utc: 1_700_000_000 };
    let expansions = 0;
    await serve((request, response) => {
      if (request.path.endsWith('/morechildren')) {
        expansions += 1;
        return expansions === 1
          ? sendJson(response, 403, {})
          : sendJson(response, 200, {
              json: { errors: [], data: { things: [{ kind: 't1', data: reply }] } },
            });
      }
      const stub = { kind: 'more', data: { id: 'm', parent_id: 't3_p', children: ['d'] } };
      sendJson(response, 200, [page([t3('p')]), page([stub])]);
    });
    const missing: number[] = [];
    for (let tree = 0; tree < 2; tree += 1)
      for await (const slice of platform.walkComments({ id: 't3_p', forum: 'x', permalink: '/x/' }, session))
        missing.push(slice.missing);
    expect(missing).toEqual([1, 0]);
  });

  it('does not send the expansion of a tree to another address', async () => {
    await serve((request, response) => {
      if (request.path.endsWith('/morechildren'))
        return void response.writeHead(307, { location: '/api-root/elsewhere' }).end();
      const stub = { kind: 'more', data: { id: 'm', parent_id: 't3_p', children: ['d', 'e'] } };
      sendJson(response, 200, [page([t3('p')]), page([stub])]);
    });
    const slices = [];
    for await (const slice of platform.walkComments({ id: 't3_p', forum: 'x', permalink: '/x/' }, session))
      slices.push(slice);
    expect(slices).toEqual([{ comments: [], missing: 2 }]);
    expect(questions()).toHaveLength(2);
  });

  it('ends at once when the session is cancelled: in flight, before, and in a tree', async () => {
    await serve(() => cancel.abort(new Error('cancelled')));
    await expect(platform.fetchListing(NEW, null, session)).rejects.toThrow('cancelled');
    await expect(platform.fetchPosts(['t3_a'], session)).rejects.toThrow('cancelled');
    const tree = platform
      .walkComments({ id: 't3_p', forum: 'x', permalink: '/x/' }, session)
      [Symbol.asyncIterator]();
    await expect(tree.next()).rejects.toThrow('cancelled');
    expect(requests).toBe(1);
  });
});
