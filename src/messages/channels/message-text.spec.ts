import type { NotifiedPost } from './channel.js';
import {
  bylineOf,
  countMatches,
  escapeHtml,
  fitText,
  keywordList,
  linkOf,
  matchesLink,
  restLine,
  shownLinkOf,
  summaryOf,
} from './message-text.js';

const keywords = (count: number) => Array.from({ length: count }, (_, number) => `k${number}`);
const shownKeywords = keywords(10).join(', ');
const POST: NotifiedPost = {
  id: 't3_abc',
  title: 'Title',
  forum: 'technology',
  author: 'ann',
  permalink: '/r/technology/comments/abc/a/',
  selftext: '',
};
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
    const posts = Array.from({ length: shown }, () => POST);
    expect(restLine({ totalPosts, totalComments: 0 }, posts)).toBe(text);
  });

  it('count comments that an entry stands for as shown', () => {
    const posts = [{ ...POST, moreComments: 2 }];
    expect(restLine({ totalPosts: 1, totalComments: 4 }, posts)).toBe('and 2 more matches');
  });

  it.each([
    [{}, 'technology · ann'],
    [{ numComments: 1, sentiment: 'positive' }, 'technology · ann · 1 comment · positive'],
    [{ numComments: 12, reposts: 3 }, 'technology · ann · 12 comments · 3 reposts'],
    [{ moreComments: 1 }, 'technology · ann · 1 more match here'],
  ])('say of %j where it is from and how it is discussed', (extra, byline) => {
    expect(bylineOf({ ...POST, ...extra })).toBe(byline);
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

describe('links into the dashboard', () => {
  const dashboard = 'https://wss.example.org';

  it('lead to the page of a post, and without a dashboard to its source', () => {
    expect(shownLinkOf({ ...POST, id: 'bs_a/b' }, { dashboard })).toBe(`${dashboard}/posts/bs_a%2Fb`);
    expect(shownLinkOf({ ...POST, commentId: 't1_c' }, { dashboard })).toBe(`${dashboard}/posts/t3_abc#t1_c`);
    expect(shownLinkOf(POST, {})).toBe(linkOf(POST));
  });

  it('lead to the matches of an alert, of which a spike has none', () => {
    expect(matchesLink({ dashboard, alertId: 'alert_1' })).toBe(`${dashboard}/mentions?alert=alert_1`);
    expect(matchesLink({ dashboard, alertId: 'alert_1', sentence: '9 in one hour' })).toBeNull();
    expect(matchesLink({ alertId: 'alert_1' })).toBeNull();
  });
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
