import type { ContentStream } from '../content-stream.js';
import { BlueskyPlatform } from '../bluesky/bluesky-platform.js';
import { MastodonPlatform } from '../mastodon/mastodon-platform.js';
import type { Platform, PlatformSession } from '../platform.js';
import type { SiteRequest } from './site-client.js';
import type { Sites } from './sites.js';

const TIME = '2026-01-02T03:04:05Z';
const did = (author: object): string => ('labels' in author ? 'did:plc:hidden' : 'did:plc:shown');
const record = { createdAt: TIME, text: 'text' };
const blueskyPost = (author: object, key: string) => ({
  uri: `at://${did(author)}/app.bsky.feed.post/${key}`,
  author: { handle: 'a.example', ...author },
  record,
  replyCount: 2,
});
const status = (account: object, id: number, more: object = {}) => ({
  id: `${id}${Object.keys(account).length}`,
  created_at: TIME,
  account: { acct: 'a', ...account },
  ...more,
});
const threadNode = (post: object) => ({ $type: 'app.bsky.feed.defs#threadViewPost', post, replies: [] });

interface Door {
  platform: (sites: Sites) => Platform;
  target: string;
  listing: string;
  /** Content of the account without a wish, and of the other, as answers of each path. */
  answer: (path: string, authors: readonly object[]) => unknown;
  wish: object;
  post: string;
}
const DOORS: Record<string, Door> = {
  bluesky: {
    platform: (sites) => new BlueskyPlatform(sites, {} as ContentStream),
    target: 'at://did:plc:abc/app.bsky.graph.list/3k',
    listing: 'feed',
    wish: { labels: [{ val: '!no-unauthenticated' }] },
    post: 'bs_did:plc:shown_1',
    answer: (path, authors) => {
      const posts = authors.map((author) => blueskyPost(author, '2'));
      if (/getPosts$/.test(path)) return { posts };
      if (!/getPostThread$/.test(path)) return { feed: posts.map((post) => ({ post })) };
      return { thread: { ...threadNode(blueskyPost({}, '1')), replies: posts.map(threadNode) } };
    },
  },
  mastodon: {
    platform: (sites) => new MastodonPlatform(sites),
    target: 'local@mastodon.example',
    listing: 'timeline',
    wish: { noindex: true },
    post: 'md_mastodon.example_1',
    answer: (path, authors) => {
      const statuses = authors.map((author) => status(author, 2, { in_reply_to_id: '1' }));
      if (/context$/.test(path)) return { descendants: statuses };
      return statuses.map((one) => ({ ...one, in_reply_to_id: null }));
    },
  },
};
const SESSION = { signal: new AbortController().signal } as PlatformSession;

describe.each(Object.entries(DOORS))('the wish of an account of %s not to be shown', (_, door) => {
  /** How many posts or comments of two accounts, one of which has the wish, are stored. */
  async function stored(ignoresNoindex: boolean): Promise<Record<string, number>> {
    const answer = <T>({ path, read }: Pick<SiteRequest<T>, 'path'> & { read: (...given: unknown[]) => T }) =>
      Promise.resolve(read(door.answer(path, [{}, door.wish]), { path, link: null }));
    const options = { ignoresNoindex };
    const platform = door.platform({ options, of: () => ({ read: answer }) } as unknown as Sites);
    const target = { type: 'forum', name: door.target } as const;
    const ref = { target, name: door.listing, wanted: 2 };
    const post = { id: door.post, forum: 'f', permalink: '/p', numComments: 2 };
    let thread = 0;
    for await (const { comments } of platform.walkComments(post, SESSION)) thread += comments.length;
    return {
      listing: (await platform.fetchListing(ref, null, SESSION)).posts.length,
      lookup: (await platform.fetchPosts([door.post], SESSION)).length,
      thread,
    };
  }

  it('is respected wherever its content comes from', async () => {
    expect(await stored(false)).toEqual({ listing: 1, lookup: 1, thread: 1 });
  });

  it('is ignored where the operator says so', async () => {
    expect(await stored(true)).toEqual({ listing: 2, lookup: 2, thread: 2 });
  });
});
