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

  it.each(['', '<!DOCTYPE html><p>: no', 'Disallow: /', 'User-agent: *\nDisallow:'])(
    'allows everything without a rule: %j',
    (text) => {
      expect(parseRobots(text, 'service').allows('/')).toBe(true);
    },
  );

  it('needs linear time for hostile rules', () => {
    const text = `User-agent: *\n${`Disallow: ${'*a'.repeat(100)}$\n`.repeat(2_500)}`;
    const startedAt = performance.now();
    parseRobots(text, 'service').allows(`/${'a'.repeat(2_000)}b`);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});
