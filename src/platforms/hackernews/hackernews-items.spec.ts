import type { PlatformPost, TargetType } from '../platform.js';
import { mapPost } from './hackernews-items.js';
import { readHits, parseHackerNewsTarget } from './hackernews-search.js';
import { readThread } from './hackernews-thread.js';

const hit = (more: Record<string, unknown> = {}) => ({
  objectID: '5',
  created_at_i: 1_700_000_000,
  title: 'Title',
  author: 'someone',
  points: 3,
  num_comments: 2,
  _tags: ['story', 'author_someone', 'story_5'],
  ...more,
});
const POST = { id: 'hn_1', forum: 'hn:ask', permalink: '/item?id=1' };

describe('a post of Hacker News', () => {
  it.each<[string, Record<string, unknown>, Partial<PlatformPost>]>([
    ['a poll', { _tags: ['poll'], parts: [1, 2] }, { forum: 'hn:story', postType: 'self' }],
    ['a job without text', { _tags: ['job'], url: 'https://e.org/' }, { forum: 'hn:job', selftext: '' }],
    ['a job with text', { _tags: ['job'], story_text: 'Apply.' }, { postType: 'self', selftext: 'Apply.' }],
    ['no points', { points: undefined }, { score: 0 }],
    ['no author', { author: null }, { author: '[deleted]' }],
    ['an empty address', { url: '' }, { url: null, postType: 'self' }],
    ['an empty text', { story_text: '' }, { selftext: '' }],
    ['no count', { num_comments: undefined }, { numComments: 0 }],
    ['a negative count', { num_comments: -1 }, { numComments: 0 }],
    ['a count of 0 that lags', { num_comments: 0, children: [7] }, { numComments: 1 }],
    ['a count above its children', { num_comments: 9, children: [7] }, { numComments: 9 }],
    [
      'only a formatted time',
      { created_at_i: null, created_at: '2026-03-25T05:59:37Z' },
      { createdUtc: new Date(Date.UTC(2026, 2, 25, 5, 59, 37)) },
    ],
    [
      'a formatted time with milliseconds',
      { created_at_i: undefined, created_at: '2014-05-30T08:29:38.000Z' },
      { createdUtc: new Date(Date.UTC(2014, 4, 30, 8, 29, 38)) },
    ],
    [
      'entities that are encoded twice',
      { title: '&amp;lt; naïve 日本語 😀' },
      { title: '&lt; naïve 日本語 😀' },
    ],
    ['tags of two forums', { _tags: ['story', 'show_hn', 'ask_hn'] }, { forum: 'hn:show' }],
    ['a job that shows something', { _tags: ['job', 'show_hn'] }, { forum: 'hn:job' }],
    ['no tags', { _tags: undefined, title: 'Show HN: x' }, { forum: 'hn:show' }],
    [
      'a title that is cut within a character',
      { title: `${'a'.repeat(3_999)}😀` },
      { title: 'a'.repeat(3_999) },
    ],
  ])('with %s is mapped', (_, more, expected) => expect(mapPost(hit(more))).toMatchObject(expected));

  it('leaves fields empty that Hacker News does not have', () => {
    expect(mapPost(hit())).toMatchObject({
      isNsfw: false,
      isSpoiler: false,
      flair: '',
      totalAwards: 0,
      hasMedia: false,
      mediaUrls: [],
      media: [],
    });
  });

  it.each<[string, Record<string, unknown>]>([
    ['an id', { objectID: undefined }],
    ['an id of at most 15 digits', { objectID: '1000000000000000' }],
    ['a whole id', { objectID: '1.5' }],
    ['a title', { title: undefined }],
    ['a tag of a post', { _tags: ['comment'] }],
    ['a time', { created_at_i: undefined, created_at: 'yesterday' }],
  ])('without %s is left out', (_, more) => expect(mapPost(hit(more))).toBeNull());
});

it('a page whose hits have only formatted times has a next page', () => {
  const hits = Array.from({ length: 100 }, (_one, at) =>
    hit({ objectID: String(at + 1), created_at_i: undefined, created_at: '2026-03-25T05:59:37Z' }),
  );
  const page = readHits({ hits, nbHits: 7_000 }, { before: null });
  expect(page).toMatchObject({ after: String(Date.UTC(2026, 2, 25, 5, 59, 37) / 1_000), skipped: 0 });
});

it.each([
  ['a full page', { hitsPerPage: 100 }, '1700000000'],
  ['a short page', { hitsPerPage: 1_000 }, '1700000000'],
  ['a page of all hits by an estimate', { nbHits: 100 }, '1700000000'],
  ['a page of all hits', { nbHits: 100, exhaustive: { nbHits: true } }, null],
  ['an empty page', { hits: [] }, null],
])('the page after %s begins at %s', (_, more, after) => {
  const hits = Array.from({ length: 100 }, (_one, at) => hit({ objectID: String(at + 1) }));
  expect(readHits({ hits, ...more }, { before: null })!.after).toBe(after);
});

it('a page whose hits are not a list is rejected', () => {
  expect(readHits({ hits: { 0: hit() } }, { before: null })).toBeNull();
});

describe('a target of Hacker News', () => {
  it.each<[TargetType, string]>([
    ['forum', 'best'],
    ['forum', ''],
    ['forum', 'constructor'],
    ['user', 'a,b'],
    ['user', ''],
  ])('cannot be the %s %j', (type, name) => {
    expect(parseHackerNewsTarget({ type, name })).toEqual({
      refusal: expect.stringContaining(`There is no ${type} "hn:${name}"`),
    });
  });

  it.each<[TargetType, string, string]>([
    ['forum', 'TOP', 'top'],
    ['user', 'PG', 'PG'],
  ])('keeps the case of users only: %s %s', (type, written, name) => {
    expect(parseHackerNewsTarget({ type, name: written })).toEqual({ target: { type, name } });
  });
});

describe('a thread of Hacker News', () => {
  it('has comments of the time of reading where nothing has a time', () => {
    const before = Date.now();
    const [comment] = readThread({ id: 1, children: [{ id: 2, author: 'a', text: 't' }] }, POST)!;
    expect(comment!.createdUtc.getTime()).toBeGreaterThanOrEqual(before);
  });

  it('keeps comments that lack either their author or their text', () => {
    const children = [
      { id: 2, author: 'a', text: null },
      { id: 3, author: null, text: 'b' },
      { id: 4, author: null, text: '' },
    ];
    const comments = readThread({ id: 1, created_at_i: 1_700_000_000, children }, POST);
    expect(comments!.map(({ id, author, body }) => [id, author, body])).toEqual([
      ['hn_2', 'a', ''],
      ['hn_3', '[deleted]', 'b'],
    ]);
    expect(comments![0]!.createdUtc).toEqual(new Date(1_700_000_000_000));
  });

  it('leaves out the options of a poll', () => {
    const option = { id: 3, type: 'pollopt', author: 'a', text: 'c' };
    const children = [{ id: 2, type: 'comment', author: 'a', text: 'b' }, option];
    const comments = readThread({ id: 1, type: 'poll', children, options: [option] }, POST);
    expect(comments!.map(({ id }) => id)).toEqual(['hn_2']);
  });

  it.each([[{ children: null }], [{}], [{ children: [] }]])('may have no comments: %j', (more) => {
    expect(readThread({ id: 1, type: 'job', ...more }, POST)).toEqual([]);
  });

  it.each([[null], [{}], [{ id: 2, children: [] }], [{ id: 1, children: 'none' }]])(
    'is not read from %j',
    (json) => {
      expect(readThread(json, POST)).toBeNull();
    },
  );

  it('keeps replies below deleted replies, at their depth', () => {
    const last = { id: 4, author: 'a', text: 'b', children: null };
    const json = { id: 1, children: [{ id: 2, children: [{ id: 3, author: null, children: [last] }] }] };
    expect(readThread(json, POST)).toEqual([
      expect.objectContaining({ id: 'hn_4', parentId: 'hn_3', depth: 2, postId: 'hn_1' }),
    ]);
  });

  it('may have 20,000 levels', () => {
    const levels = 20_000;
    const open = Array.from({ length: levels }, (_one, at) => `{"id":${at + 2},"author":"a","children":[`);
    const json: unknown = JSON.parse(`{"id":1,"children":[${open.join('')}${']}'.repeat(levels)}]}`);
    const comments = readThread(json, POST)!;
    expect(comments).toHaveLength(levels);
    expect(comments.at(-1)).toMatchObject({ depth: levels - 1, parentId: `hn_${levels}` });
  });
});
