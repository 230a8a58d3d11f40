import { normalLink } from './normal-link.js';

describe('the normal form of a link', () => {
  it.each([
    ['https://www.e.org/a?b=1&a=2#c', 'e.org/a?a=2&b=1'],
    ['http://e.org/a/', 'e.org/a'],
    ['https://e.org/a?UTM_Source=x&FBCLID=y&id=1', 'e.org/a?id=1'],
    ['https://e.org/amp/a', 'e.org/a'],
    ['https://e.org/a/amp/', 'e.org/a'],
    ['https://amp.e.org/a', 'e.org/a'],
    ['https://e.org:8443/a', 'e.org:8443/a'],
    ['https://youtu.be/abc?si=x', 'youtube.com/watch?v=abc'],
    ['https://m.youtube.com/watch?v=abc&t=5', 'youtube.com/watch?v=abc'],
    ['https://e.org/', null],
    ['https://e.org/?utm_source=x', null],
    ['ftp://e.org/a', null],
    ['no link', null],
    [`https://e.org/${'a'.repeat(2_000)}`, null],
  ])('of %s is %s', (link, normal) => expect(normalLink(link)).toBe(normal));
});
