import { mapComment, mapPost, parentOf } from './mapper.js';
import { MAX_BODY_LENGTH, unescaped, type WireObject } from '../http/response-parsing.js';

const ROW = {
  id: 'abc',
  name: 't3_abc',
  subreddit: 'pictures',
  title: 'A title',
  author: 'someone',
  created_utc: 1_700_000_000.0,
  permalink: '/r/pictures/comments/abc/a_title/',
  url: 'https://example.com/page',
  score: 12,
  upvote_ratio: 0.97,
  num_comments: 3,
  selftext: '',
};
const post = (changes: WireObject = {}) => mapPost({ ...ROW, ...changes })!;

describe('a post row', () => {
  it('drops URLs longer than 8 KiB, and counts them', () => {
    const long = (length: number) => `https://i.example.com/${'x'.repeat(length - 26)}.jpg`;
    const dropped = new Set<string>();
    const mapped = mapPost({ ...ROW, url: long(8_193) }, dropped)!;
    expect(mapped).toMatchObject({ id: 't3_abc', url: null, media: [], mediaUrls: [] });
    expect(dropped.size).toBe(1);
    const gallery = {
      a: { status: 'valid', s: { u: long(9_000) } },
      b: { status: 'valid', s: { u: long(2_700) } },
    };
    expect(mapPost({ ...ROW, is_gallery: true, media_metadata: gallery }, dropped)!.mediaUrls).toEqual([
      long(2_700),
    ]);
    expect(dropped.size).toBe(2);
    expect(post({ url: long(8_192) }).mediaUrls).toEqual([long(8_192)]);
  });

  it('has texts and galleries of bounded size', () => {
    const absurd = post({
      title: 'ab'.repeat(1_000_000),
      selftext: 'é'.repeat(2_000_000),
      author: 'a'.repeat(3_000),
      subreddit: 'f'.repeat(3_000),
      link_flair_text: 'l'.repeat(3_000),
    });
    expect([absurd.title, absurd.selftext].map((text) => text.length)).toEqual([4_000, MAX_BODY_LENGTH]);
    expect([absurd.author, absurd.forum, absurd.flair].map((text) => text.length)).toEqual([255, 255, 255]);
    const items = Array.from({ length: 5_000 }, (_, at) => [
      `m${at}`,
      { status: 'valid', s: { u: `https://i/${at}` } },
    ]);
    expect(post({ is_gallery: true, media_metadata: Object.fromEntries(items) }).media).toHaveLength(100);
    expect(post({ title: `${'a'.repeat(3_999)}😀` }).title).toBe('a'.repeat(3_999));
  });

  it('becomes a post', () => {
    expect(post()).toEqual({
      id: 't3_abc',
      forum: 'pictures',
      title: 'A title',
      author: 'someone',
      createdUtc: new Date('2023-11-14T22:13:20.000Z'),
      permalink: '/r/pictures/comments/abc/a_title/',
      url: 'https://example.com/page',
      score: 12,
      upvoteRatio: 0.97,
      numComments: 3,
      selftext: '',
      postType: 'link',
      isNsfw: false,
      isSpoiler: false,
      flair: '',
      totalAwards: 0,
      hasMedia: false,
      mediaUrls: [],
      media: [],
    });
  });

  it.each<[string, WireObject, Partial<ReturnType<typeof post>>]>([
    ['an id without a name', { name: undefined }, { id: 't3_abc' }],
    ['a date as text', { created_utc: '1700000000' }, { createdUtc: new Date(1_700_000_000_000) }],
    ['no author', { author: null }, { author: '[deleted]' }],
    ['no ratio', { upvote_ratio: undefined }, { upvoteRatio: 0.5 }],
    ['a whole ratio', { upvote_ratio: 1 }, { upvoteRatio: 1 }],
    ['no score', { score: undefined, ups: 9, downs: 4 }, { score: 5 }],
    ['only votes for it', { score: undefined, ups: 9 }, { score: 9 }],
    ['a score of 0', { score: 0, ups: 9 }, { score: 0 }],
    ['a negative score', { score: -3 }, { score: -3 }],
    ['a score beyond the database', { score: 9e12 }, { score: 2_147_483_647 }],
    ['no permalink', { permalink: undefined }, { permalink: '/r/pictures/comments/abc/' }],
    ['a whole permalink', { permalink: 'https://www.reddit.com/r/a/é/' }, { permalink: '/r/a/é/' }],
    ['a relative url', { url: '/r/x/comments/1/' }, { url: 'https://www.reddit.com/r/x/comments/1/' }],
    ['no url', { url: '' }, { url: null }],
    ['a url with an entity', { url: 'https://e.com/?a=1&amp;lt=2' }, { url: 'https://e.com/?a=1&amp;lt=2' }],
    ['entities that its author typed', { title: '&lt;b&gt; &amp;nbsp;' }, { title: '&lt;b&gt; &amp;nbsp;' }],
    ['an ampersand of its own', { title: 'R&D, AT&T &c' }, { title: 'R&D, AT&T &c' }],
    ['what Postgres refuses', { title: 'a\u0000b\ud800c😀' }, { title: 'ab\ufffdc😀' }],
    ['flair', { link_flair_text: 'A & B' }, { flair: 'A & B' }],
    ['flair without a visible character', { link_flair_text: ' \u200b\u2800\u3164' }, { flair: '' }],
    ['a title without a visible character', { title: '\u00ad\ufeff' }, { title: '' }],
    ['an author without a visible character', { author: '\u200b' }, { author: '[deleted]' }],
    ['null flair', { link_flair_text: null }, { flair: '' }],
    ['a null text', { selftext: null }, { selftext: '' }],
    ['awards', { total_awards_received: 4, gilded: 1 }, { totalAwards: 4 }],
    ['gold of old', { gilded: 2 }, { totalAwards: 2 }],
    ['marks', { over_18: true, spoiler: true }, { isNsfw: true, isSpoiler: true }],
    ['a prefixed forum', { subreddit: undefined, subreddit_name_prefixed: 'r/x' }, { forum: 'x' }],
    ['a profile as forum', { subreddit: 'u_someone' }, { forum: 'u_someone' }],
    ['a prefixed profile', { subreddit: undefined, subreddit_name_prefixed: 'u/x' }, { forum: 'u_x' }],
    ['a forum only in the path', { subreddit: undefined }, { forum: 'pictures' }],
    [
      'a profile only in the path',
      { subreddit: undefined, permalink: '/user/x/comments/abc/a/' },
      { forum: 'u_x' },
    ],
    [
      'a path whose forum is too long to be stored',
      { permalink: `/r/${'f'.repeat(256)}/comments/abc/` },
      { permalink: '/r/pictures/comments/abc/' },
    ],
    [
      'a path whose forum is as long as can be stored',
      { permalink: `/r/${'f'.repeat(255)}/comments/abc/` },
      { permalink: `/r/${'f'.repeat(255)}/comments/abc/` },
    ],
    ['a poll', { poll_data: { options: [{ text: 'A' }] }, is_self: true }, { postType: 'self' }],
    ['a null ratio', { upvote_ratio: null }, { upvoteRatio: 0.5 }],
    ['a ratio beyond its range', { upvote_ratio: 1.2 }, { upvoteRatio: 1 }],
    ['a ratio below its range', { upvote_ratio: -0.2 }, { upvoteRatio: 0 }],
    ['a score below the database', { score: -9e12 }, { score: -2_147_483_647 }],
    ['negative counts', { num_comments: -1, total_awards_received: -1 }, { numComments: 0, totalAwards: 0 }],
    ['null counts', { num_comments: null, total_awards_received: null }, { numComments: 0, totalAwards: 0 }],
    ['an edit as date, number or mark', { edited: 1_700_000_001.5 }, { score: 12 }],
    ['a line break in its title', { title: 'a\nb' }, { title: 'a\nb' }],
    [
      'a deleted text',
      { author: '[deleted]', selftext: '[removed]' },
      { author: '[deleted]', selftext: '[removed]' },
    ],
    ['an undecided poll', { poll_data: true, is_self: true }, { postType: 'self' }],
  ])('survives %s', (_name, changes, result) => expect(post(changes)).toMatchObject(result));

  it.each<[string, WireObject]>([
    ['an id', { id: undefined, name: undefined }],
    ['a title', { title: undefined }],
    ['a date', { created_utc: null, created: 1_700_000_000 }],
    ['a sensible date', { created_utc: -1 }],
  ])('is left out without %s', (_name, changes) => expect(mapPost({ ...ROW, ...changes })).toBeNull());
});

it.each<[string, WireObject, WireObject]>([
  ['a url', { url: 'https://e.com/?a=1&amp;lt=2' }, { url: 'https://e.com/?a=1&lt=2' }],
  ['texts', { title: 'a &lt;b&gt; &amp; c &#39;d&#39;' }, { title: "a <b> & c 'd'" }],
  ['what its author typed', { selftext: '&amp;#x200B;x' }, { selftext: '&#x200B;x' }],
])('an escaped row is decoded once: %s', (_name, changes, result) =>
  expect(mapPost(unescaped({ ...ROW, ...changes }))).toMatchObject(result),
);

describe('a comment row', () => {
  const place = {
    post: { id: 't3_abc', forum: 'x', permalink: '/r/x/comments/abc/' },
    postAuthor: 'op',
    postCreatedUtc: new Date(1_600_000_000_000),
    depth: 2,
  };
  const comment = (changes: WireObject) =>
    mapComment(
      {
        id: 'c1',
        parent_id: 't1_c0',
        author: 'op',
        body: 'x > y',
        score: 1,
        created_utc: 1_700_000_000,
        ...changes,
      },
      place,
    );

  it('becomes a comment with its position in the tree', () => {
    expect(comment({})).toEqual({
      id: 't1_c1',
      postId: 't3_abc',
      forum: 'x',
      postPermalink: '/r/x/comments/abc/',
      parentId: 't1_c0',
      author: 'op',
      body: 'x > y',
      score: 1,
      createdUtc: new Date(1_700_000_000_000),
      depth: 2,
      isSubmitter: true,
    });
  });

  it.each<[string, WireObject, WireObject]>([
    ['a mark of the submitter', { is_submitter: false }, { isSubmitter: false }],
    ['a stranger', { author: 'other' }, { isSubmitter: false }],
    ['no author', { author: null }, { author: '[deleted]', isSubmitter: false }],
    ['no score', { score: undefined }, { score: 0 }],
    ['no body', { body: null }, { body: '' }],
    ['no parent', { parent_id: null }, { parentId: 't3_abc' }],
    [
      'the shape of 2013',
      { body: undefined, contentText: 'old', parent_id: undefined, parent: 't3_abc' },
      { body: 'old' },
    ],
    ['no date', { created_utc: undefined }, { createdUtc: new Date(1_600_000_000_000) }],
  ])('survives %s', (_name, changes, result) => expect(comment(changes)).toMatchObject(result));

  it('of a deleted account is not by the submitter', () => {
    const row = { id: 'c1', author: '[deleted]', created_utc: 1_700_000_000 };
    expect(mapComment(row, { ...place, postAuthor: '[deleted]' })).toMatchObject({ isSubmitter: false });
  });

  it('is skipped without an id', () => expect(comment({ id: undefined })).toBeNull());

  it('is skipped when neither it nor its post has a time', () => {
    const row = { id: 'c1', author: 'op', body: 'x' };
    expect(mapComment(row, place)).not.toBeNull();
    expect(mapComment(row, { ...place, postCreatedUtc: null })).toBeNull();
  });

  it('is skipped if its number is beyond the range of Reddit', () => {
    expect(comment({ id: 'zzzzzzzzzz' })).toMatchObject({ id: 't1_zzzzzzzzzz' });
    for (const id of [(36 ** 10).toString(36), 'zzzzzzzzzzzzz']) expect(comment({ id })).toBeNull();
    expect(comment({ parent_id: 't1_zzzzzzzzzzzzz' })).toMatchObject({ parentId: 't3_abc' });
  });

  it('reads parent ids that archives send as numbers', () => {
    const number = Number.parseInt('abc', 36);
    expect(parentOf({ parent_id: number, link_id: 't3_abc' })).toBe('t3_abc');
    expect(parentOf({ parent_id: number, link_id: 't3_zzz' })).toBe('t1_abc');
  });
});
