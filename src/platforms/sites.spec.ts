import { siteOf } from './sites.js';

it.each([
  ['/item?id=5', 'https://news.ycombinator.com'],
  ['/item?id=5x', 'https://www.reddit.com'],
  ['/r/x/comments/1/item?id=5', 'https://www.reddit.com'],
  ['/r/technology/comments/abc/title/', 'https://www.reddit.com'],
])('%s is a path of %s', (permalink, site) => {
  expect(siteOf(permalink)).toBe(site);
});
