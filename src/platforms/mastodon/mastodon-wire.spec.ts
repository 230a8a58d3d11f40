import { idIn, isUnindexed, mapStatus, readStatus } from './mastodon-wire.js';

const status = (more: object) =>
  readStatus({ id: '7', created_at: '2026-01-02T03:04:05Z', account: { acct: 'ann' }, ...more });

describe('a status of Mastodon', () => {
  it.each([
    ['109294719267373593', '109294719267373593'],
    ['A0CLZOxVw1UHTMa9Oi', 'A0CLZOxVw1UHTMa9Oi'],
    [7, '7'],
    [109_294_719_267_373_600, null],
    [1.5, null],
    ['a/b', null],
    ['', null],
    [null, null],
    [undefined, null],
  ])('has for the id %p the id %p', (value, id) => expect(idIn(value)).toBe(id));

  it.each([
    [{ in_reply_to_id: 5 }, '5', true],
    [{ in_reply_to_id: null, in_reply_to_account_id: 1 }, null, true],
    [{ in_reply_to_id: null, in_reply_to_account_id: null }, null, false],
  ])('replies by %j to %p', (more, replyTo, isReply) =>
    expect(status(more)).toMatchObject({ replyTo, isReply }),
  );

  it.each([{ id: null }, { id: {} }, { created_at: null }, { created_at: 'soon' }])(
    'cannot be read: %j',
    (more) => expect(status(more)).toBeNull(),
  );

  it.each([
    [null, false],
    [{}, false],
    [{ indexable: true, noindex: false }, false],
    [{ indexable: null, noindex: null }, false],
    [{ indexable: false }, true],
    [{ noindex: true }, true],
    [{ indexable: true, noindex: true }, true],
    [{ noindex: 'true' }, true],
    [{ indexable: 0 }, true],
  ])('the wish of the account %j not to be indexed: %p', (account, isWished) =>
    expect(isUnindexed(account)).toBe(isWished),
  );

  it.each([
    [{ type: 'image', url: 'https://e.org/a.png' }, ['https://e.org/a.png']],
    [{ type: 'unknown', url: null, remote_url: 'https://e.org/b.png' }, ['https://e.org/b.png']],
    [{ type: 'audio', url: 'https://e.org/c.ogg' }, []],
  ])('has the files of %j', (file, urls) =>
    expect(mapStatus('s.example', status({ media_attachments: [file] })!).mediaUrls).toEqual(urls),
  );

  it('has composed tags, and its warning as its title', () => {
    const tags = [{ name: 'cafe\u0301' }, { name: '\u200b' }, { name: 'rust' }];
    expect(mapStatus('s.example', status({ tags, spoiler_text: 'Careful' })!)).toMatchObject({
      id: 'md_s.example_7',
      flair: '#caf\u00e9, #rust',
      title: 'Careful',
      isSpoiler: true,
    });
  });
});
