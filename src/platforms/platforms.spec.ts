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
  it.each([
    ['t1_a', 10],
    ['t1_zzzzzzz', 36 ** 7 - 1],
    ['hn_456', 2 ** 52 + 456],
  ])('gives %s its exact number', (id, number) => {
    expect(SOURCES.commentNumber(id)).toBe(number);
  });

  it.each(['hn_1x', '??', 'dc_meta.example.org_5', 't1_zzzzzzzzzzzzzz'])('hashes the id %s', (id) => {
    const number = SOURCES.commentNumber(id);
    expect(Number.isSafeInteger(number)).toBe(true);
    expect(number).toBeLessThan(0);
    expect(SOURCES.commentNumber(`${id}1`)).not.toBe(number);
  });

  it('finds the site of a post within its id', () => {
    const [first] = SOURCES.all;
    const ids = { post: 'xx_', comment: 'xy_' };
    const other = { ...first!, source: 'other', prefix: 'other', ids, origin: 'https://{site}' };
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
