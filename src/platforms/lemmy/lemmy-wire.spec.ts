import { mapPosts } from './lemmy-wire.js';

const postAt = (url: string, more: object = {}) =>
  mapPosts('s.example', [
    {
      post: { id: 1, name: 'n', published: '2026-01-02T03:04:05Z', url, ...more },
      creator: {},
      community: {},
    },
  ])[0]!;
const proxied = (url: string, path = '/api/v4/image/proxy') =>
  `https://s.example${path}?url=${encodeURIComponent(url)}`;

describe('a post of Lemmy', () => {
  it.each([
    ['https://e.org/a.jpg', 'https://e.org/a.jpg'],
    [proxied('https://e.org/a.jpg'), 'https://e.org/a.jpg'],
    [proxied('https://e.org/a.jpg', '/api/v3/image_proxy'), 'https://e.org/a.jpg'],
    [proxied(proxied('https://e.org/a.jpg')), 'https://e.org/a.jpg'],
    [proxied('nothing'), proxied('nothing')],
    ['https://s.example/api/v4/image/proxy', 'https://s.example/api/v4/image/proxy'],
  ])('with the address %s links to %s', (url, expected) => expect(postAt(url).url).toBe(expected));

  it.each([
    [proxied('https://e.org/a.jpg'), {}, ['https://e.org/a.jpg']],
    ['https://e.org/a', { url_content_type: 'image/png' }, ['https://e.org/a']],
    ['https://e.org/a', {}, []],
  ])('with the address %s and %j has the files %j', (url, more, files) =>
    expect(postAt(url, more).mediaUrls).toEqual(files),
  );
});
