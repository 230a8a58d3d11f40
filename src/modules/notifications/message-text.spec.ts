import {
  countMatches,
  escapeHtml,
  fitText,
  keywordList,
  linkOf,
  restLine,
  summaryOf,
} from './message-text.js';

const keywords = (count: number) => Array.from({ length: count }, (_, number) => `k${number}`);
const shownKeywords = keywords(10).join(', ');
const BASE = 'https://www.reddit.com';

describe('the texts of a notification', () => {
  it.each([
    [1, 'k0'],
    [10, shownKeywords],
    [11, `${shownKeywords} and 1 more`],
    [25, `${shownKeywords} and 15 more`],
  ])('show %i keywords as %s', (count, text) => {
    expect(keywordList(keywords(count))).toBe(text);
  });

  it.each([
    [3, 3, ''],
    [4, 3, 'and 1 more post'],
    [5, 3, 'and 2 more posts'],
  ])('count the rest of %i posts after %i as "%s"', (totalPosts, shown, text) => {
    expect(restLine({ totalPosts, totalComments: 0 }, shown)).toBe(text);
  });

  it.each([
    [0, 0, '0 posts'],
    [1, 0, '1 post'],
    [2, 1, '2 posts and 1 comment'],
    [0, 2, '2 comments'],
  ])('count %i posts and %i comments as "%s"', (totalPosts, totalComments, text) => {
    expect(countMatches({ totalPosts, totalComments })).toBe(text);
  });

  it('name no keywords when only a query matched', () => {
    expect(summaryOf({ totalPosts: 0, totalComments: 1, keywords: [] }, 100)).toBe('1 comment');
  });

  it('escape everything that ends a text or an attribute of HTML', () => {
    expect(escapeHtml(`<a href="x">'&amp;'</a>`)).toBe(`&lt;a href=&quot;x&quot;&gt;'&amp;amp;'&lt;/a&gt;`);
  });
});

describe('the link to a post', () => {
  const to = (title: string) => `/r/technology/comments/abc/${title}`;
  const longest = 'x'.repeat(1_000 - (BASE + to('')).length);

  it.each([
    ['a permalink without a slash', 'r/technology/comments/abc/a/', `${BASE}/r/technology/comments/abc/a/`],
    ['a permalink of 1,000 characters', to(longest), BASE + to(longest)],
    ['a longer one, cut after the id', to(`${longest}x`), BASE + to('')],
    ['a longer one of a user', `/user/me/comments/abc/${'x'.repeat(1_000)}`, `${BASE}/user/me/comments/abc/`],
    ['a longer one without an id', `/${'x'.repeat(1_000)}`, `${BASE}/`],
    ['a longer one with a long forum', `/r/${'x'.repeat(600)}/comments/abc/${longest}`, `${BASE}/`],
  ])('is for %s that address', (_what, permalink, link) => {
    expect(linkOf({ id: 't3_abc', permalink })).toBe(link);
  });
});

it.each([
  ['hn_5', '/item?id=5', 'https://news.ycombinator.com/item?id=5'],
  ['t3_5', '/item?id=5', 'https://www.reddit.com/item?id=5'],
])('the link to the post %s leads to the site of its source', (id, permalink, link) => {
  expect(linkOf({ id, permalink })).toBe(link);
});

describe('fitText', () => {
  it.each([
    ['removes bidirectional overrides', 'a\u202eb\u2066c\u2069', 10, 'abc'],
    ['joins runs of control characters and trims', ' a\r\n\t b ', 10, 'a  b'],
    ['keeps a text of exactly that length', 'abcde', 5, 'abcde'],
    ['leaves room for the ellipsis', 'abcdef', 5, 'abcd…'],
    ['leaves no space before the ellipsis', 'abc defgh', 5, 'abc…'],
  ])('%s', (_what, text, max, fitted) => {
    expect(fitText(text, max)).toBe(fitted);
  });
});
