import type { WireObject } from '../http/response-parsing.js';
import { goneRequest, readGoneComment, readGonePost } from './gone-content.js';

const post = (more: WireObject): WireObject => ({
  id: 'a',
  title: 'Title',
  author: 'someone',
  selftext: 'Text',
  url: 'https://www.reddit.com/r/x/comments/a/title/',
  created_utc: 1_700_000_000,
  removed_by_category: null,
  ...more,
});
const comment = (more: WireObject): WireObject => ({
  id: 'c',
  author: 'someone',
  body: 'Text',
  created_utc: 1_700_000_000,
  ...more,
});

describe('what Reddit shows in place of content', () => {
  it.each<[string, WireObject, string | null]>([
    ['as it was', {}, null],
    ['with a quote of the mark', { selftext: 'He wrote [deleted]' }, null],
    ['deleted by its author', { author: '[deleted]', selftext: '[deleted]' }, 'deleted'],
    [
      'deleted without a text',
      { author: '[deleted]', selftext: '', removed_by_category: 'deleted' },
      'deleted',
    ],
    ['deleted by its author, said by category', { removed_by_category: 'author' }, 'deleted'],
    ['removed by a moderator', { selftext: '[removed]', removed_by_category: 'moderator' }, 'removed'],
    ['removed without a text', { selftext: '', removed_by_category: 'reddit' }, 'removed'],
    ['removed by the platform', { selftext: '[ Removed by Reddit ]' }, 'removed'],
    [
      'removed by the platform, with its ground',
      {
        selftext: '[ Removed by reddit on account of violating the [content policy](/help/contentpolicy). ]',
      },
      'removed',
    ],
    ...[
      '[ Removed by Reddit in response to a copyright notice. ]',
      '[removed by moderator]',
      '[ Removed by Reddit on account of violating the [content policy](/x) and [rules](/y). ]',
      '  [ REMOVED BY REDDIT ]\n',
    ].map((selftext): [string, WireObject, string] => [selftext, { selftext }, 'removed']),
    ['[ Deleted by user ]', { selftext: '[ Deleted by user ]' }, 'deleted'],
    ['with a title in place of its own', { title: '[ Removed by moderator ]' }, 'removed'],
    ['with a quote of the mark and a link', { selftext: '[removed by mods] is all I see [x]' }, null],
    ['with a text that begins like the mark', { selftext: '[removed] was all it said' }, null],
    ['of an account that is gone', { author: '[deleted]' }, 'account_deleted'],
    ['without an author', { author: null }, 'account_deleted'],
  ])('a post %s', (_, more, reason) => {
    const row = post(more);
    const gone = readGonePost(row);
    expect(gone?.reason ?? null).toBe(reason);
    if (gone)
      expect(gone).toMatchObject({
        id: 't3_a',
        title: row.title,
        author: row.author ?? '[deleted]',
        selftext: row.selftext,
        url: row.url,
        hasMedia: false,
        mediaUrls: [],
      });
  });

  it.each<[string, WireObject, string | null]>([
    ['as it was', {}, null],
    ['deleted', { author: '[deleted]', body: '[deleted]' }, 'deleted'],
    ['removed', { author: '[deleted]', body: '[removed]' }, 'removed'],
    ['removed by the platform', { author: '[deleted]', body: '[ Removed by Reddit ]' }, 'removed'],
    ['of an account that is gone', { author: '[deleted]' }, 'account_deleted'],
  ])('a comment %s', (_, more, reason) => {
    const row = comment(more);
    const gone = readGoneComment(row);
    expect(gone?.reason ?? null).toBe(reason);
    if (gone) expect(gone).toMatchObject({ id: 't1_c', author: row.author, body: row.body });
  });

  it('is looked up in one request that returns only gone content', () => {
    const request = goneRequest(['t3_a', 't3_b'], 't3', readGonePost);
    expect([request.path, request.params]).toEqual(['/api/info', { id: 't3_a,t3_b' }]);
    const children = [
      { kind: 't3', data: post({ selftext: '[removed]' }) },
      { kind: 't3', data: post({ id: 'b' }) },
      { kind: 't1', data: comment({ body: '[deleted]' }) },
      { kind: 't3', data: { id: 'c' } },
      null,
    ];
    expect(request.read({ kind: 'Listing', data: { children } })).toMatchObject([{ id: 't3_a' }]);
    expect(request.read({ kind: 'Listing', data: {} })).toBeNull();
    expect(request.read('no listing')).toBeNull();
  });
});
