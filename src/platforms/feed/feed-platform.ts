import { LRUCache } from 'lru-cache';
import { parseSite } from '../../common/site-names.js';
import type { ContentStream } from '../content-stream.js';
import { MISSING_TREE, slicesOf } from '../comment-slices.js';
import { asCount } from '../http/response-parsing.js';
import {
  type CommentSlice,
  type ListingPage,
  type ListingRef,
  type Platform,
  PlatformError,
  type PlatformPost,
  type PlatformSession,
  type Target,
  type TreePost,
} from '../platform.js';
import { type PolledList, textOfPost } from '../polling/polled-source.js';
import { PollingStream } from '../polling/polling-stream.js';
import { SitePlatform } from '../sites/site-platform.js';
import type { Sites } from '../sites/sites.js';
import { requireTarget } from '../sites/site-targets.js';
import { tellUnread } from '../unread-posts.js';
import { FeedDocuments, type KeptFeed } from './kept-feeds.js';
import type { FeedEntry } from './feed-entry.js';
import { commentsOf, namedEntries, postOf } from './feed-posts.js';
import { parseFeedTarget, readFeedAddress } from './feed-target.js';

/** Posts of a page. */
const PAGE_SIZE = 500;
/** Pages of a feed in which an entry is looked for. */
const MAX_PAGES = 20;
/** Entries of a feed to which queries listen. */
const MAX_HEARD = 1_000;
/** Of so many requests that a site may get, listening to a feed sends one: every five minutes by default. */
const SHARED = 300;
/** Characters of the posts that are found again by their ids. */
const MAX_KNOWN_CHARACTERS = 16 * 1_024 * 1_024;

/** Feeds of any site: a document holds all posts that there are, and further ones their comments. */
export class FeedPlatform extends SitePlatform implements Platform {
  readonly source = 'feed';
  readonly listings = ['new'] as const;
  /** An entry that is missing may only be too old for its feed. */
  readonly lookup = null;
  private readonly documents: FeedDocuments;
  private readonly known = new LRUCache<string, { post: PlatformPost; entry: FeedEntry }>({
    maxSize: MAX_KNOWN_CHARACTERS,
    sizeCalculation: ({ post }) => post.selftext.length + post.title.length + 1_000,
  });

  constructor(sites: Sites) {
    super(sites);
    this.documents = new FeedDocuments(sites);
  }

  async fetchListing(
    { target }: ListingRef,
    after: string | null,
    session: PlatformSession,
  ): Promise<ListingPage> {
    const feed = requireTarget('feed', target, readFeedAddress(target.name));
    const { offset, address } = placeOf(after, feed);
    const { kept, posts } = await this.postsAt(address, feed, session);
    if (offset === 0) tellUnread(session, emptyEntries(kept));
    const page = posts.slice(offset, offset + PAGE_SIZE);
    for (const one of page) this.known.set(one.post.id, one);
    const rest = offset + PAGE_SIZE < posts.length ? cursor(offset + PAGE_SIZE, address) : null;
    const { next } = kept.content;
    return {
      posts: page.map(({ post }) => post),
      after: rest ?? (next !== null && isOlder(next, address) ? cursor(0, next) : null),
      givenAt: kept.givenAt,
    };
  }

  async *walkComments(post: TreePost, session: PlatformSession): AsyncGenerator<CommentSlice> {
    const feed = readFeedAddress(post.forum.replace(/^feed:/, ''));
    const site = feed && parseSite(feed.host);
    const known = this.known.get(post.id);
    // Two feeds of a site may hold the same entry, one of them without its comments.
    const isKnown = known?.post.forum === post.forum;
    const entry = isKnown ? known.entry : feed && (await this.entryOf(post.id, feed, session));
    if (!entry?.comments) return void (yield MISSING_TREE);
    const comments = await this.commentsAt(entry.comments, session);
    if (comments === null) return void (yield MISSING_TREE);
    const all = commentsOf(post, comments, site!);
    // Feeds hold the newest comments only.
    yield* slicesOf(all, Math.max(0, asCount(entry.commentCount) - all.length));
  }

  streamAt(address: string): ContentStream {
    const list: PolledList = async (_after, _since, session) => {
      const { kept, posts } = await this.postsAt(address, new URL(address), session);
      const texts = posts.slice(0, MAX_HEARD).map(({ post }) => textOfPost(post));
      return { texts, oldest: null, next: null, givenAt: kept.givenAt };
    };
    const everyMs = this.sites.pollMs(SHARED);
    return new PollingStream({ lists: [list], everyMs, lateMs: 0, maxPages: 1, isUnordered: true });
  }

  /** Feeds cannot be asked for an entry: those that this process has read are known. */
  fetchPosts(ids: readonly string[]): Promise<PlatformPost[]> {
    return Promise.resolve(ids.flatMap((id) => this.known.get(id)?.post ?? []));
  }

  async recognise(url: URL, session: PlatformSession): Promise<Target | null> {
    const found = await this.documents.find(url.href, session);
    const parsed = found === null ? null : parseFeedTarget({ type: 'forum', name: found });
    return parsed !== null && 'target' in parsed ? parsed.target : null;
  }

  /** The posts of a document of a feed, newest first. */
  private async postsAt(address: string, feed: URL, session: PlatformSession) {
    const kept = await this.documents.read(address, session);
    const site = parseSite(feed.host)!;
    const posts = namedEntries(kept, site, feed.href)
      .map((named) => ({ post: postOf(named, kept, site, feed), entry: named.entry }))
      .sort((a, b) => b.post.createdUtc.getTime() - a.post.createdUtc.getTime());
    return { kept, posts };
  }

  /** The entry of a feed with an id, on whichever of its pages. */
  private async entryOf(id: string, feed: URL, session: PlatformSession): Promise<FeedEntry | null> {
    let address: string | null = feed.href;
    for (let page = 0; address !== null && page < MAX_PAGES; page += 1) {
      const kept: KeptFeed = await this.documents.read(address, session);
      const found = namedEntries(kept, parseSite(feed.host)!, feed.href).find((one) => one.id === id);
      if (found !== undefined) return found.entry;
      const { next }: { next: string | null } = kept.content;
      address = next !== null && isOlder(next, address) ? next : null;
    }
    return null;
  }

  private async commentsAt(address: string, session: PlatformSession): Promise<KeptFeed | null> {
    try {
      return await this.documents.read(address, session);
    } catch (error) {
      if (error instanceof PlatformError && error.code === 'target_not_found') return null;
      throw error;
    }
  }
}

/** Whether a page links another one of its site. */
function isOlder(next: string, address: string): boolean {
  return next !== address && new URL(next).host === new URL(address).host;
}

/** Where a page begins: at a place among the entries of a document, newest first. */
const cursor = (offset: number, address: string): string => `${offset} ${address}`;

function placeOf(after: string | null, feed: URL): { offset: number; address: string } {
  const [, offset, address] = /^(\d{1,6}) (https?:.+)$/.exec(after ?? '') ?? [];
  return address === undefined || !URL.canParse(address)
    ? { offset: 0, address: feed.href }
    : { offset: Number(offset), address };
}

/** Entries without a name, a link, a title and a text. */
function emptyEntries({ content: { entries } }: KeptFeed): number {
  return entries.filter(
    ({ guid, link, title, text }) => guid === '' && link === null && title === '' && text === '',
  ).length;
}
