import { mapComment, mapPosts, missingOf, readComments, timeOf, viewsIn } from './lemmy-wire.js';

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

describe('a list of Lemmy', () => {
  it.each([
    ['version 3', { posts: [1], next_page: 'P2' }, { views: [1], next: 'P2' }],
    ['version 3', { comments: [1] }, { views: [1], next: null }],
    ['version 4', { items: [1], next_page: 'P2', prev_page: null }, { views: [1], next: 'P2' }],
    ['version 4', { items: [], next_page: null }, { views: [], next: null }],
    ['nothing', { items: {} }, null],
  ])('of %s is read: %j', (_version, json, expected) => expect(viewsIn(json)).toEqual(expected));

  const actors = {
    creator: { name: 'ann', local: false, ap_id: 'https://home.example/u/ann' },
    community: { name: 'birds', local: true, ap_id: 'https://s.example/c/birds' },
  };
  const published_at = '2026-01-02T03:04:05.678Z';

  it('has counts within posts from version 4 on', () => {
    const counted = { score: 3, upvotes: 4, downvotes: 1, comments: 5 };
    const view = { ...actors, post: { id: 7, name: 'n', published_at, ...counted } };
    expect(mapPosts('s.example', [view])[0]).toMatchObject({
      ...{ id: 'lm_s.example_7', author: 'ann@home.example', forum: 'lemmy:birds@s.example' },
      ...{ score: 3, upvoteRatio: 0.8, numComments: 5, createdUtc: new Date(published_at) },
    });
    expect(timeOf(view, 'post')).toBe(Date.parse(published_at));
  });

  it('has counts within comments from version 4 on', () => {
    const counted = { score: 2, child_count: 3 };
    const comment = { id: 9, path: '0.8.9', content: 'c', published_at, creator_id: 1, ...counted };
    const comments = readComments([{ ...actors, comment, post: { id: 7, creator_id: 1 } }]);
    const post = { id: 'lm_s.example_7', forum: 'f', permalink: '/post/7' };
    expect(comments.map((read) => mapComment('s.example', post, read))).toMatchObject([
      { id: 'lm_s.example_9', parentId: 'lm_s.example_8', depth: 1, score: 2, body: 'c', isSubmitter: true },
    ]);
    expect(comments).toMatchObject([{ childCount: 3 }]);
    expect(missingOf(readComments([{ ...actors, comment: { ...comment, path: '0.9' } }]))).toBe(3);
  });
});
