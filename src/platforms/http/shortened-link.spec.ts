import { linkText } from './shortened-link.js';

describe('the text of a link', () => {
  it.each([
    ['https://e.org/a/lo...', 'https://e.org/a/long', 'beginning'],
    ['e.org/a/lo…', 'https://e.org/a/long', 'beginning'],
    ['E.org/日本…', 'https://e.org/%E6%97%A5%E6%9C%AC%E8%AA%9E', 'beginning'],
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
