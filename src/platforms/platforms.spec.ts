import type { Platform } from './platform.js';
import { PlatformRegistry } from './platform-registry.js';
import { Platforms } from './platforms.js';
import { LISTINGS } from './reddit/listing-request.js';
import { SOURCES } from './registry.js';

const closed: string[] = [];

describe('Platforms', () => {
  const platforms = new Platforms(
    SOURCES,
    ({ source }) =>
      ({
        source,
        close: async () => {
          await new Promise((resolve) => setImmediate(resolve));
          closed.push(source);
        },
      }) as unknown as Platform,
  );

  it.each([
    ['technology', 'reddit', 'technology'],
    ['hn:top', 'hackernews', 'top'],
    ['HN:Top', 'hackernews', 'top'],
    ['hn', 'reddit', 'hn'],
    ['topic:rust', 'reddit', 'topic:rust'],
    ['constructor:x', 'reddit', 'constructor:x'],
  ])('serves %s from the platform of its prefix', (target, source, name) => {
    const found = platforms.of({ type: 'forum', name: target });
    expect(found.platform.source).toBe(source);
    expect(found.target).toEqual({ type: 'forum', name });
  });

  it.each(['hn:', 'hn:a:b'])('fails for %s, which its source cannot have', (name) => {
    expect(() => platforms.of({ type: 'forum', name })).toThrow('There is no forum');
  });

  it('closes every platform', async () => {
    await platforms.onApplicationShutdown();
    expect(closed.sort()).toEqual(SOURCES.all.map(({ source }) => source).sort());
  });
});

describe('PlatformRegistry', () => {
  it.each(SOURCES.all.flatMap(({ source, targets }) => targets.map((form) => ({ source, ...form }))))(
    'names a target of $source by its normal form, however it is spelled: $example',
    ({ source, targetType: type, example }) => {
      const normal = SOURCES.nameOf({ type, name: example });
      if (!('name' in normal)) throw new Error(normal.refusal);
      expect(SOURCES.nameOf({ type, name: normal.name })).toEqual(normal);
      expect(SOURCES.nameOf({ type, name: ` ${example} `.trim() })).toEqual(normal);
      expect(SOURCES.ofTarget(normal.name).source).toBe(source);
    },
  );

  it.each([
    ['forum', 'r/technology', 'technology'],
    ['forum', 'https://www.reddit.com/r/technology/top/', 'technology'],
    ['forum', 'old.reddit.com/r/technology', 'technology'],
    ['user', '/u/spez', 'spez'],
    ['forum', 'HN:Top', 'hn:top'],
    ['forum', 'https://news.ycombinator.com/ask', 'hn:ask'],
    ['user', 'news.ycombinator.com/user?id=pg', 'hn:pg'],
    ['user', 'HN:Fishy', 'hn:Fishy'],
  ] as const)('names the %s %s %s', (type, text, name) => {
    expect(SOURCES.nameOf({ type, name: text })).toEqual({ name });
  });

  it.each([
    ['forum', 'https://news.ycombinator.com/user?id=pg', 'send `target` "hn:pg" with `target_type` "user"'],
    ['user', 'https://www.reddit.com/r/technology', 'send `target` "technology" with `target_type` "forum"'],
    ['forum', 'u/spez', 'send `target` "spez" with `target_type` "user"'],
    ['forum', 'https://example.org/r/technology', 'Send a name'],
  ] as const)('refuses the %s %s with the right form', (type, name, refusal) => {
    expect(SOURCES.nameOf({ type, name })).toMatchObject({ refusal: expect.stringContaining(refusal) });
  });

  it.each([
    ['/r/technology', { name: 'technology' }],
    ['https://www.reddit.com/r/technology', { name: 'technology' }],
    ['u/spez', { name: 'u_spez' }],
    ['hn:story', { name: 'hn:story' }],
    ['HN:Ask', { name: 'hn:ask' }],
    ['https://news.ycombinator.com/show', { name: 'hn:show' }],
    ['hn:top', { refusal: expect.stringContaining('hn:story, hn:ask, hn:show, hn:job') as string }],
    ['mastodon:Social.Example', { name: 'mastodon:social.example' }],
    ['mastodon:#topic@social.example', { refusal: expect.stringContaining('mastodon:SITE') as string }],
    ['lemmy:technology@lemmy.example', { name: 'lemmy:technology@lemmy.example' }],
    ['lemmy:!technology@home.example@lemmy.example', { name: 'lemmy:technology@home.example' }],
    ['lemmy:local@lemmy.example', { refusal: expect.stringContaining('lemmy:COMMUNITY@HOME') as string }],
    ['discourse:Forum.Example/c/Support/6', { name: 'discourse:forum.example/c/support' }],
    ['discourse:https://forum.example/', { name: 'discourse:forum.example' }],
    ['discourse:forum.example/tag/api', { refusal: expect.stringContaining('/c/CATEGORY') as string }],
    ['bsky:#topic', { refusal: expect.stringContaining('bsky:bsky.app') as string }],
    ['stackexchange:stackoverflow/rust', { refusal: expect.stringContaining('flair') as string }],
    ['stackexchange:StackOverflow', { name: 'stackexchange:stackoverflow' }],
    ['nodebb:https://Forum.Example/category/05/news', { name: 'nodebb:forum.example/category/5' }],
    ['nodebb:forum.example', { name: 'nodebb:forum.example' }],
    ['flarum:forum.example/', { name: 'flarum:forum.example' }],
    ['flarum:forum.example/t/support', { refusal: expect.stringContaining('flair') as string }],
    ['github:NodeJS/node.git', { name: 'github:NodeJS/node' }],
    ['github:user/ann', { refusal: expect.stringContaining('github:OWNER/REPO') as string }],
    ['https://example.org/', { refusal: expect.stringContaining('names no subreddit') as string }],
  ])('finds the forum of stored posts in %s', (text, forum) => {
    expect(SOURCES.forumOf(text)).toEqual(forum);
  });

  it.each([
    ['technology', ['forum technology', 'user technology']],
    ['https://www.reddit.com/r/technology', ['forum technology']],
    ['/u/spez', ['user spez']],
    ['HN:Fishy', ['user hn:Fishy']],
    ['hn:new', ['forum hn:new', 'user hn:new']],
    ['https://example.org/r/technology', []],
  ])('finds the targets that %s may name', (text, targets) => {
    expect(SOURCES.targetsNamed(text).map(({ type, name }) => `${type} ${name}`)).toEqual(targets);
  });

  it.each([
    ['t1_a', 10],
    ['t1_zzzzzzz', 36 ** 7 - 1],
    ['t1_0a', 10],
    ['t1_0syna', 36 ** 10 + 10],
    ['hn_456', 2 ** 52 + 456],
  ])('gives %s its exact number', (id, number) => {
    expect(SOURCES.commentNumber(id)).toBe(number);
  });

  it.each(['hn_1x', '??', 'dc_meta.example.org_5', 't1_zzzzzzzzzzzzzz', 't1_0synzzzzzzzzzz'])(
    'hashes the id %s',
    (id) => {
      const number = SOURCES.commentNumber(id);
      expect(Number.isSafeInteger(number)).toBe(true);
      expect(number).toBeLessThan(0);
      expect(SOURCES.commentNumber(`${id}1`)).not.toBe(number);
    },
  );

  it.each([
    ['t3_1abc', 'reddit'],
    ['t3_0synabc', 'synthetic'],
    ['t1_0synabc', 'synthetic'],
    ['t3_000001', 'reddit'],
    ['xx_1', 'unknown'],
  ])('finds the source of %s: %s', (id, source) => {
    expect(SOURCES.sourceOf(id)).toBe(source);
  });

  it('counts synthetic content to the source that it replaces, too', () => {
    expect(SOURCES.sourcesOf('t3_0synabc')).toEqual(['synthetic', 'reddit']);
    expect(SOURCES.sourcesOf('t3_abc')).toEqual(['reddit']);
    expect(SOURCES.sourcesOf('??')).toEqual([]);
  });

  it('knows synthetic content by its name, but no synthetic platform', () => {
    expect(SOURCES.content('synthetic')).toMatchObject({ ids: { post: 't3_0syn' } });
    expect(SOURCES.find('synthetic')).toBeUndefined();
    expect(SOURCES.siteOf('t3_0synabc').origin).toBe('https://synthetic.invalid');
  });

  it('finds the site of a post within its id', () => {
    const [first, second] = SOURCES.all;
    const ids = { post: 'xx_', comment: 'xy_' };
    const other = { ...second!, source: 'other', prefix: 'other', ids, origin: 'https://{site}' };
    const registry = new PlatformRegistry([first!, other]);
    expect(registry.siteOf('xx_forum.example_5').origin).toBe('https://forum.example');
    expect(registry.siteOf('unknown').origin).toBe('https://www.reddit.com');
    expect(registry.commentNumbers('xy_')).toEqual([Number.MIN_SAFE_INTEGER, 0]);
  });

  it('refuses a second platform with a name of another, until that is removed', () => {
    const [first] = SOURCES.all;
    const registry = new PlatformRegistry([]);
    const remove = registry.register(first!);
    expect(() => registry.register({ ...first!, source: 'other' })).toThrow('of reddit');
    remove();
    expect(registry.all).toEqual([]);
  });
});

describe("Reddit's listings", () => {
  it('are the newest posts and every order over every window, once each', () => {
    expect(LISTINGS[0]).toBe('new');
    expect(LISTINGS).toHaveLength(14);
    expect(new Set(LISTINGS).size).toBe(14);
  });
});
