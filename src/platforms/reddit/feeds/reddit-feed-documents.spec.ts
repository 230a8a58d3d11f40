import type { PageAnswer, PageRequest } from '../../sites/site-page.js';
import type { PlatformSession } from '../../platform.js';
import { FeedDocuments, FEEDS_SITE } from './reddit-feed-documents.js';

const session = {} as PlatformSession;
const FEED = '<feed xmlns="http://www.w3.org/2005/Atom"></feed>';
const FORUM = { kind: 'forum', name: 'rust' } as const;

describe('a request for a feed of Reddit', () => {
  /** Answers one after another, and the addresses that were asked. */
  function documents(
    answers: Partial<PageAnswer & { text: string }>[],
    account: { user: string; token: string } | null = null,
  ) {
    const asked: string[] = [];
    const page = <T>({ address, read }: PageRequest<T>): Promise<T> => {
      asked.push(address.href);
      const { status = 200, text = FEED, goal = null } = answers.shift()!;
      return Promise.resolve().then(async () => {
        const attempt = await read({ status, body: Buffer.from(text), header: () => null, goal });
        if (!attempt.done) throw new Error(attempt.detail);
        return attempt.value;
      });
    };
    return { documents: new FeedDocuments({ page }, account), asked };
  }

  it('names the depth and the entry after which it continues', async () => {
    const { documents: feeds, asked } = documents([{}]);
    expect(await feeds.read('/r/a+b/new', FORUM, session, 't3_x')).toEqual([]);
    expect(asked).toEqual([`https://${FEEDS_SITE}/r/a+b/new/.rss?limit=100&after=t3_x`]);
  });

  it("sends the operator's token with it, after a redirect within the site, too", async () => {
    const goal = new URL(`https://${FEEDS_SITE}/r/Rust/new/.rss`);
    const { documents: feeds, asked } = documents([{ status: 301, goal }, {}], { user: 'ann', token: 'abc' });
    await feeds.read('/r/rust/new', FORUM, session);
    expect(asked).toEqual([
      `https://${FEEDS_SITE}/r/rust/new/.rss?limit=100&feed=abc&user=ann`,
      `https://${FEEDS_SITE}/r/Rust/new/.rss?limit=100&feed=abc&user=ann`,
    ]);
  });

  it.each([
    [
      'a search',
      302,
      `https://${FEEDS_SITE}/subreddits/search?q=rust`,
      '',
      'There is no forum "rust" on Reddit',
    ],
    [
      'another host',
      302,
      'https://elsewhere.example/',
      '',
      'redirects the request for forum "rust" to another host',
    ],
    ['a missing forum', 404, null, 'no', 'There is no forum "rust" on Reddit'],
    ['a private forum', 403, null, '{"reason":"private"}', 'Forum "rust" is private'],
    ['a closed one', 403, null, '<p>no</p>', 'Reddit does not show the feed of forum "rust" (status 403)'],
    ['something else', 200, null, '<p>hello</p>', 'no Atom feed'],
  ])('is refused by %s', async (_case, status, to, text, message) => {
    const { documents: feeds } = documents([{ status, goal: to === null ? null : new URL(to), text }]);
    await expect(feeds.read('/r/rust/new', FORUM, session)).rejects.toThrow(message);
  });

  it('ends after some redirects', async () => {
    const goal = new URL(`https://${FEEDS_SITE}/r/rust/new/.rss`);
    const { documents: feeds, asked } = documents(Array.from({ length: 9 }, () => ({ status: 302, goal })));
    await expect(feeds.read('/r/rust/new', FORUM, session)).rejects.toThrow('form a loop');
    expect(asked).toHaveLength(4);
  });
});
