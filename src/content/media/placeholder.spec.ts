import { isPlaceholder } from './placeholder.js';

describe('a redirect of a picture', () => {
  it.each([
    ['https://i.imgur.com/abc123.jpg', 'https://i.imgur.com/removed.png', true],
    ['https://i.imgur.com/abc123.jpg', 'https://imgur.com/', true],
    ['https://e.org/p/77/photo.jpg', 'https://e.org/static/404.gif', true],
    ['https://e.org/a.jpg', 'https://e.org/image-not-found_150x150.png', true],
    ['http://e.org/abc.jpg', 'https://e.org/abc.jpg', false],
    ['https://imgur.com/abc123.jpg', 'https://i.imgur.com/abc123.png', false],
    ['https://e.org/my%20cat.jpg', 'https://cdn.e.org/x/my%20cat.webp?w=1', false],
    ['https://e.org/a.jpg', 'https://cdn.e.org/9f8e7d6c5b4a.jpg', false],
    ['https://e.org/a.jpg', 'https://cdn.e.org/get?id=20260131123', false],
    ['https://e.org/%zz.jpg', 'https://e.org/gone.jpg', true],
  ])('from %s to %s leads to a placeholder: %s', (from, to, expected) =>
    expect(isPlaceholder(from, to)).toBe(expected),
  );
});
