import { commentNumber, siteOf } from './content-ids.js';

describe('commentNumber', () => {
  it.each([
    ['t1_a', 10],
    ['t1_zzzzzzz', 36 ** 7 - 1],
    ['hn_456', 2 ** 52 + 456],
  ])('%s', (id, number) => {
    expect(commentNumber(id)).toBe(number);
    expect(Number.isSafeInteger(number)).toBe(true);
  });

  it('is not a number for other ids', () => {
    expect(commentNumber('hn_1x')).not.toBe(commentNumber('hn_1'));
    expect(commentNumber('??')).toBeNaN();
  });
});

it.each([
  ['/item?id=5', 'https://news.ycombinator.com'],
  ['/item?id=5x', 'https://www.reddit.com'],
  ['/r/x/comments/1/item?id=5', 'https://www.reddit.com'],
  ['/r/technology/comments/abc/title/', 'https://www.reddit.com'],
])('%s is a path of %s', (permalink, site) => {
  expect(siteOf(permalink)).toBe(site);
});
