import { BlueskyApi } from './bluesky/bluesky-api.js';
import { FlarumDocument } from './flarum/flarum-wire.js';
import { PiefedApi } from './lemmy/piefed-api.js';
import type { PlatformSession } from './platform.js';
import type { SiteClient } from './sites/site-client.js';

const SESSION = {} as PlatformSession;
const TIME = '2026-01-02T03:04:05Z';
/** A site that gives this answer to every request. */
const answering = (json: unknown): SiteClient =>
  ({
    site: 's.example',
    read: ({ read }: { read: (json: unknown) => unknown }) => Promise.resolve(read(json)),
  }) as unknown as SiteClient;

describe('a listing goes on', () => {
  it.each([
    ['a2', 'a2'],
    [1_790_000_000_000, '1790000000000'],
    ['', null],
    [null, null],
    [undefined, null],
  ])('after the cursor %j of Bluesky at %j', async (cursor, after) => {
    const uri = 'at://did:plc:ann/app.bsky.feed.post/1';
    const post = { uri, author: {}, record: { text: 't', createdAt: TIME }, indexedAt: TIME };
    const api = new BlueskyApi(answering({ feed: [{ post }], cursor }));
    const page = await api.readFeed({ kind: 'user', name: 'ann.example' }, null, SESSION);
    expect(page).toMatchObject({ received: 1, after });
  });

  it.each([
    ['2', '2'],
    [2, '2'],
    [null, null],
  ])('after the page that names the next as %j of PieFed at %j', async (next_page, after) => {
    const api = new PiefedApi(answering({ posts: [{}], next_page }), true);
    expect((await api.listPosts({ kind: 'all', site: 's.example' }, null, SESSION)).after).toBe(after);
  });

  it.each([
    ['https://s.example/api/discussions?page%5Boffset%5D=50', 50],
    [{ href: 'https://s.example/api/discussions?page%5Boffset%5D=50' }, 50],
    [{ href: null }, null],
    [null, null],
  ])('after the page that links %j of Flarum at %j', (next, offset) =>
    expect(FlarumDocument.of({ data: [{}], links: { next } })!.next).toBe(offset),
  );
});
