import { linkText } from './shortened-link.js';

describe('the text of a link', () => {
  it.each([
    ['https://e.org/a/lo...', 'https://e.org/a/long', 'beginning'],
    ['e.org/a/lo…', 'https://e.org/a/long', 'beginning'],
    ['E.org/日本…', 'https://e.org/%E6%97%A5%E6%9C%AC%E8%AA%9E', 'beginning'],
    ['e.org/a/b ...', 'https://e.org/a/b/c', 'beginning'],
    ['https://e.org/a…/c', 'https://e.org/a/b/c', 'beginning'],
    ['e.org/a ... e-9.html', 'https://www.e.org/a/b/page-9.html', 'beginning'],
    ['e.org/v1...v2', 'https://e.org/v1...v2', 'host'],
    ['bücher.example/a…', 'https://xn--bcher-kva.example/abc', 'beginning'],
    ['e.org/a…/d', 'https://e.org/a/b/c', 'words'],
    ['e.org/a/b…/b/c', 'https://e.org/a/b/c', 'words'],
    ['e.org/a…b…c', 'https://e.org/a/b/c', 'words'],
    ['e.org', 'https://e.org/', 'host'],
    ['www.e.org/watch?v=lo', 'https://www.e.org/watch?v=long', 'host'],
    ['e.org/a/lo…', 'https://www.e.org/a/long', 'beginning'],
    ['www.e.org/a/lo…', 'https://e.org/a/long', 'beginning'],
    ['e.org', 'https://www.e.org/a', 'host'],
    ['e.org', 'https://e.org.example/', 'words'],
    ['cheese', 'https://cheese.example', 'words'],
    ['the...', 'https://theguardian.example/', 'words'],
    ['the', 'https://theguardian.example/', 'words'],
    ['Read more...', 'https://e.org/', 'words'],
    ['other.example', 'https://e.org/', 'words'],
    ['', 'https://e.org/', 'words'],
    ['...', 'https://e.org/', 'words'],
  ])('%j of %j shows its %s', (shown, address, kind) => expect(linkText(shown, address)).toBe(kind));
});
