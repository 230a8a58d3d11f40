import { mapPost, readPost } from './bluesky-wire.js';

const TIME = '2026-01-02T03:04:05Z';
const post = (more: object = {}, author: object = { did: 'did:plc:ann', handle: 'ann.example' }) =>
  readPost({
    uri: 'at://did:plc:ann/app.bsky.feed.post/1',
    author,
    record: { text: 't', createdAt: TIME },
    indexedAt: TIME,
    ...more,
  })!;
const pictures = [1, 2, 3, 4, 5].map((n) => ({ thumb: 't', fullsize: `https://e.org/${n}.jpg` }));
const urls = pictures.map(({ fullsize }) => fullsize);

describe('a post of Bluesky', () => {
  it.each([
    ['pictures', { $type: 'app.bsky.embed.images#view', images: pictures }],
    ['a gallery', { $type: 'app.bsky.embed.gallery#view', items: pictures }],
    [
      'a gallery with a quote',
      { record: {}, media: { $type: 'app.bsky.embed.gallery#view', items: pictures } },
    ],
  ])('has all files of %s', (_, embed) =>
    expect(mapPost(post({ embed }))).toMatchObject({ mediaUrls: urls, hasMedia: true, postType: 'image' }),
  );

  it.each([
    [{ did: 'did:plc:ann', handle: 'ann.example' }, 'ann.example'],
    [{ did: 'did:plc:ann', handle: 'handle.invalid' }, 'did:plc:ann'],
    [{ did: 'did:plc:ann', handle: 'Handle.Invalid' }, 'did:plc:ann'],
    [{ did: 'did:plc:ann', handle: '' }, 'did:plc:ann'],
    [{ did: 'did:plc:ann' }, 'did:plc:ann'],
    [{}, '[deleted]'],
  ])('of %j has the author %s', (author, name) => expect(post({}, author).author).toBe(name));

  it('has the time at which it was seen where its own is not plausible', () => {
    for (const createdAt of ['0001-01-01T00:00:00Z', '9999-01-01T00:00:00Z', 'soon'])
      expect(post({ record: { text: '', createdAt } }).createdUtc).toEqual(new Date(TIME));
  });
});
