import 'reflect-metadata';
import { type Answer, HttpReceiver } from '../../../test/support/receivers.js';
import { parseEnvironment } from '../../config/environment.js';
import { OutboundHttpClient } from '../../infrastructure/outbound-http/outbound-http-client.js';
import { InProcessRequestBudget } from '../http/in-process-request-budget.js';
import type { ListingPage, Platform, PlatformSession, Target } from '../platform.js';
import { SOURCES } from '../registry.js';

const DEFINITION = SOURCES.find('feed')!;
const SESSION: PlatformSession = {
  signal: new AbortController().signal,
  workspaceId: 'w',
  priority: 'high',
  isBrief: true,
  onRequest: () => undefined,
};
const itemsOf = (...items: string[]): string =>
  `<rss xmlns:wfw="http://wellformedweb.org/CommentAPI/"><channel><title>B</title>${items.map((item) => `<item>${item}</item>`).join('')}</channel></rss>`;
const BODY = itemsOf('<guid>tag:1</guid><title>T</title><link>/1</link>');

describe('a feed on its site', () => {
  let server: HttpReceiver;
  let platform: Platform;
  let outbound: OutboundHttpClient;
  let answers: Record<string, Answer>;
  beforeEach(async () => {
    answers = {};
    server = await HttpReceiver.start(({ url }) => answers[url] ?? { status: 404 });
    outbound = new OutboundHttpClient([]);
    platform = createPlatform({});
  });
  afterEach(async () => {
    await platform.close();
    outbound.close();
    await server.close();
  });

  const createPlatform = (variables: Record<string, string>): Platform =>
    DEFINITION.create({
      environment: parseEnvironment({
        SOURCE_SITES: `blog.example=${server.url}/blog,moved.example=${server.url}/moved`,
        ...variables,
      }),
      userAgent: 'test/1.0',
      outbound,
      budget: () => new InProcessRequestBudget(1_000_000),
      logAs: () => () => undefined,
    });
  const read = (name = 'https://blog.example/feed'): Promise<ListingPage> =>
    platform.fetchListing({ target: { type: 'forum', name }, name: 'new', wanted: 10 }, null, SESSION);
  const asked = (): string[] =>
    server.all.map(({ url }) => url).filter((url) => !url.endsWith('/robots.txt'));

  it('gets the validators of its last answer, and stays when it has not changed', async () => {
    const headers = { etag: '"a"', 'last-modified': 'Mon, 02 Jan 2006 15:04:05 GMT' };
    answers['/blog/feed'] = { headers, body: BODY };
    const [first] = (await read()).posts;
    answers['/blog/feed'] = { status: 304 };
    expect((await read()).posts).toEqual([first]);
    expect(server.all.at(-1)!.headers).toMatchObject({
      'if-none-match': '"a"',
      'if-modified-since': 'Mon, 02 Jan 2006 15:04:05 GMT',
    });
  });

  it('is listened to without a request within its own time, and says so', async () => {
    answers['/blog/feed'] = { headers: { 'cache-control': 'max-age=600' }, body: BODY };
    const stream = createPlatform({ SOURCE_REQUESTS_PER_MINUTE: '1000000' }).streamAt!(
      'https://blog.example/feed',
    );
    const times = new Set<number>();
    for await (const { newestAt, texts } of stream.read('0', SESSION.signal)) {
      times.add(newestAt?.getTime() ?? 0);
      if (times.size === 1 && texts.length > 0) setTimeout(() => times.add(-1), 1_500);
      if (times.has(-1)) break;
    }
    expect(times.size).toBe(2);
    expect(asked()).toHaveLength(1);
  });

  it.each<[string, Record<string, string>, string, number]>([
    ['Cache-Control', { 'cache-control': 'public, max-age=600' }, '', 1],
    ['Cache-Control, from a cache', { 'cache-control': 'max-age=600', age: '600' }, '', 2],
    ['Expires', { expires: new Date(Date.now() + 600_000).toUTCString() }, '', 1],
    ['ttl', { 'cache-control': 'no-cache' }, '<ttl>10</ttl>', 1],
    ['nothing', {}, '', 2],
  ])('costs no request within the time stated by %s', async (_place, headers, channel, requests) => {
    answers['/blog/feed'] = { headers, body: BODY.replace('<title>B</title>', channel) };
    const first = await read();
    await new Promise((resolve) => setTimeout(resolve, 2));
    const second = await read();
    expect(asked()).toHaveLength(requests);
    expect(second.givenAt === first.givenAt).toBe(requests === 1);
  });

  it('gets requests at its new address only, once it has moved for good', async () => {
    answers['/blog/feed'] = { status: 301, headers: { location: 'https://moved.example/feed' } };
    answers['/moved/feed'] = { body: BODY };
    const [post] = (await read()).posts;
    await read();
    expect(asked()).toEqual(['/blog/feed', '/moved/feed', '/moved/feed']);
    expect(post).toMatchObject({ forum: 'feed:https://blog.example/feed' });
    expect(post!.id).toMatch(/^fd_blog\.example_[\da-f]{32}$/);
  });

  it('gets a request at its old address again after a redirect for now', async () => {
    answers['/blog/feed'] = { status: 302, headers: { location: '/blog/other' } };
    answers['/blog/other'] = { body: BODY };
    await read();
    await read();
    expect(asked()).toEqual(['/blog/feed', '/blog/other', '/blog/feed', '/blog/other']);
  });

  it('that is gone for good is said to be, and not asked again', async () => {
    answers['/blog/feed'] = { status: 410 };
    for (let time = 0; time < 2; time += 1)
      await expect(read()).rejects.toMatchObject({
        code: 'target_not_found',
        message: expect.stringContaining('gone for good') as string,
      });
    expect(asked()).toHaveLength(1);
  });

  it.each<[string, Answer, string, string]>([
    [
      'a page that links a feed',
      { body: '<html><link rel="alternate" type="application/rss+xml" href="/f">' },
      'target_not_found',
      'feed:https://blog.example/f',
    ],
    [
      'an endless redirect',
      { status: 302, headers: { location: '/blog/feed' } },
      'bad_answer',
      'without an end',
    ],
    ['more than 5 MB', { body: ' '.repeat(5_300_000) }, 'bad_answer', 'too large'],
    [
      'entities made of entities',
      { body: `<!DOCTYPE a [<!ENTITY a "b"><!ENTITY c "&a;&a;">]>${BODY}` },
      'bad_answer',
      'entities',
    ],
    ['a login', { status: 401 }, 'target_private', 'members'],
    [
      'a wish not to be indexed',
      { headers: { 'x-robots-tag': 'noindex, nofollow' }, body: BODY },
      'target_forbidden',
      'SOURCE_IGNORE_NOINDEX',
    ],
    [
      'a mark not to be indexed',
      {
        body: BODY.replace(
          '<title>B',
          '<xhtml:meta xmlns:xhtml="http://www.w3.org/1999/xhtml" name="robots" content="noindex"/><title>B',
        ),
      },
      'target_forbidden',
      'SOURCE_IGNORE_NOINDEX',
    ],
  ])('with %s is refused', async (_what, answer, code, words) => {
    answers['/blog/feed'] = answer;
    await expect(read()).rejects.toMatchObject({ code, message: expect.stringContaining(words) as string });
  });

  it('is left alone where robots.txt asks for it', async () => {
    answers = {
      '/robots.txt': { body: 'User-agent: *\nDisallow: /blog/feed' },
      '/blog/feed': { body: BODY },
    };
    await expect(read()).rejects.toMatchObject({ code: 'target_forbidden' });
    expect(asked()).toEqual([]);
  });

  it('has an entry for each name, and for each link where all have one name', async () => {
    answers['/blog/feed'] = {
      body: itemsOf(
        '<guid>1</guid><title>A</title><link>/a</link>',
        '<guid>1</guid><title>B</title><link>/b</link>',
        '<guid>1</guid><title>A</title><link>/a</link>',
        '<title>No name and link</title>',
        '<description>Only a text</description>',
        '<guid></guid>',
      ),
    };
    const { posts } = await read();
    expect(posts.map(({ title }) => title).sort()).toEqual(['A', 'B', 'No name and link', 'Only a text']);
    expect((await read()).posts.map(({ id }) => id).sort()).toEqual(posts.map(({ id }) => id).sort());
  });

  it('gives the comments that it links, also after another process has read it', async () => {
    answers['/blog/feed'] = {
      body: itemsOf('<guid>tag:1</guid><title>T</title><wfw:commentRss>/c</wfw:commentRss>'),
    };
    answers['/blog/c'] = { body: itemsOf('<guid>tag:2</guid><description>Words</description>') };
    const [post] = (await read()).posts;
    for (const reader of [platform, createPlatform({})]) {
      const slices = [];
      for await (const slice of reader.walkComments(post!, SESSION)) slices.push(slice);
      expect(slices).toMatchObject([
        { missing: 0, comments: [{ body: 'Words', depth: 0, postId: post!.id }] },
      ]);
      await reader.close();
    }
    expect(post!.numComments).toBe(1);
  });

  it.each<[string, Target | null]>([
    ['/feed', { type: 'forum', name: 'https://blog.example/feed' }],
    ['/page', { type: 'forum', name: 'https://blog.example/feed' }],
    ['/none', null],
    ['/missing', null],
  ])('is found at %s', async (path, target) => {
    answers['/blog/feed'] = { body: BODY };
    answers['/blog/page'] = {
      body: '<!doctype html><link rel="alternate" type="application/atom+xml" href="/feed">',
    };
    answers['/blog/none'] = { body: '<html></html>' };
    expect(await platform.recognise!(new URL(`https://blog.example${path}`), SESSION)).toEqual(target);
  });
});

describe('a target of a feed', () => {
  it.each([
    ['feed:blog.example/feed', 'feed:https://blog.example/feed'],
    ['feed:http://Blog.example:80/Feed#top', 'feed:http://blog.example/Feed'],
    ['feed:feed://blog.example/a?b=C', 'feed:https://blog.example/a?b=C'],
  ])('is brought from %s into its form', (name, expected) => {
    expect(SOURCES.nameOf({ type: 'forum', name })).toEqual({ name: expected });
  });

  it.each([
    'feed:',
    'feed:ftp://a.example/',
    'feed:https://ann:pass@a.example/',
    'feed:name',
    `feed:a.example/${'a'.repeat(300)}`,
  ])('is refused: %.40s', (name) =>
    expect(SOURCES.nameOf({ type: 'forum', name })).toHaveProperty('refusal'),
  );
});
