import { isSteep } from '../../../test/support/steep-work.js';
import { parseRobots } from './robots.js';

const TEXT = `# a comment
User-agent: other
Disallow: /

User-agent: *
Crawl-delay: 5
Disallow: /u/   # profiles
Disallow: /t/*/*.rss
Allow: /u/public
Disallow: /search$

User-agent: named
User-agent: Second
Disallow: /c/
`;

describe('robots.txt', () => {
  it.each([
    ['service', '/latest.json', true],
    ['service', '/u/someone', false],
    ['service', '/u/public', true],
    ['service', '/t/a/1.rss', false],
    ['service', '/t/a.json', true],
    ['service', '/search', false],
    ['service', '/search?q=1', true],
    ['other', '/latest.json', false],
    ['named', '/u/someone', true],
    ['second', '/c/x', false],
  ])('shows %s to %s', (product, path, allowed) => {
    expect(parseRobots(TEXT, product).allows(path)).toBe(allowed);
  });

  it.each([
    ['/tag/日本', '/tag/%E6%97%A5%E6%9C%AC'],
    ['/tag/%e6%97%a5%E6%9C%AC', '/tag/%E6%97%A5%E6%9C%AC'],
    ['/%62ob', '/bob/1'],
    ['/bob', '/%62ob'],
    ['/%7Euser', '/~user'],
    ['/a%2Fb', '/a%2fb'],
    ['/file-with-a-%2A.html', '/file-with-a-*.html'],
    ['/foo-%24', '/foo-$'],
    ['/a$b', '/a$b'],
    ['/x?url=https://foo.bar', '/x?url=https%3A%2F%2Ffoo.bar'],
    ['/*?q=%C3%BC$', '/search?q=ü'],
  ])('of the rule %s forbids %s', (rule, path) => {
    expect(parseRobots(`User-agent: *\nDisallow: ${rule}`, 'service').allows(path)).toBe(false);
  });

  it.each(['Service/1.0', 'service *', 'service (+https://e.org)'])('names a product as %s', (agent) => {
    const text = `User-agent: *\nAllow: /\n\nUser-agent: ${agent}\nDisallow: /`;
    expect(parseRobots(text, 'service').allows('/x')).toBe(false);
    expect(parseRobots(text, 'service-of-others').allows('/x')).toBe(true);
  });

  it.each([
    ['/a%2Fb', '/a/b'],
    ['/file-with-a-%2A.html', '/file-with-a-b.html'],
    ['/foo-%24', '/foo-bar'],
  ])('of the rule %s allows %s', (rule, path) => {
    expect(parseRobots(`User-agent: *\nDisallow: ${rule}`, 'service').allows(path)).toBe(true);
  });

  it.each(['', '<!DOCTYPE html><p>: no', 'Disallow: /', 'User-agent: *\nDisallow:'])(
    'allows everything without a rule: %j',
    (text) => {
      expect(parseRobots(text, 'service').allows('/')).toBe(true);
    },
  );

  it('needs linear time for hostile rules', async () => {
    const read = (length: number) => {
      const text = `User-agent: *\n${`Disallow: ${'*a'.repeat(200)}*c\n`.repeat(length / 100)}`;
      parseRobots(text, 'service').allows(`/${'a'.repeat(length)}b`);
    };
    expect(await isSteep(read, 40_000)).toBe(false);
  });

  it('is compared with the first 2,000 characters of a path', () => {
    const rule = (path: string) => parseRobots(`User-agent: *\nDisallow: ${path}`, 'service');
    const before = `/${'a'.repeat(1_998)}`;
    expect(rule('/*b').allows(`${before}b`)).toBe(false);
    expect(rule('/*b').allows(`${before}ab`)).toBe(true);
    expect(rule(`/${'%61'.repeat(1_999)}`).allows(`${before}a`)).toBe(false);
  });

  it('is read up to 512 KiB', () => {
    const behind = (lines: number) => `User-agent: *\n${'#\n'.repeat(lines)}Disallow: /`;
    expect([260_000, 263_000].map((lines) => parseRobots(behind(lines), 'service').allows('/'))).toEqual([
      false,
      true,
    ]);
  });

  it.each([
    ['in groups of its own', 'User-agent: service\nDisallow: /a\n\nUser-agent: service\nDisallow: /b'],
    ['in one group', 'User-agent: service\nUser-agent: SERVICE\nDisallow: /a\nDisallow: /b'],
    ['and all others', 'User-agent: *\nUser-agent: service\nDisallow: /a\nUser-agent: service\nDisallow: /b'],
  ])('is one list of rules for a product that is named again %s', (_, text) => {
    const robots = parseRobots(text, 'service');
    expect(['/a', '/b', '/c'].map((path) => robots.allows(path))).toEqual([false, false, true]);
  });

  it('has no rules of `*` for a product that it names', () => {
    const text = 'User-agent: *\nDisallow: /\n\nUser-agent: service\nDisallow: /a';
    expect(parseRobots(text, 'service').allows('/b')).toBe(true);
    expect(parseRobots('User-agent: service\n\nUser-agent: *\nDisallow: /', 'other').allows('/b')).toBe(
      false,
    );
  });

  it('counts the rules of this service only, up to its limit', () => {
    const rules = (count: number) => Array.from({ length: count }, (_, n) => `Disallow: /${n}/\n`).join('');
    const text = `User-agent: other\n${rules(3_000)}User-agent: service\n${rules(2_001)}`;
    const robots = parseRobots(text, 'service');
    expect(['/1999/', '/2000/'].map((path) => robots.allows(path))).toEqual([false, true]);
  });

  it.each(['*', 'service', 'other'])('needs linear time for many lines that name %s', async (agent) => {
    const read = (size: number) => {
      const text = `user-agent:${agent}\n`.repeat(size) + 'disallow:/x\n'.repeat(size / 4);
      const robots = parseRobots(text, 'service');
      for (let path = 0; path < 10; path += 1) robots.allows('/y');
    };
    // 440 kB, all of which is read.
    expect(await isSteep(read, 20_000)).toBe(false);
  });
});
