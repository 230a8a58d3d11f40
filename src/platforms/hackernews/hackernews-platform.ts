import type { ContentStream } from '../content-stream.js';
import { chunksOf } from '../../common/collections.js';
import { MISSING_TREE, slicesOf } from '../comment-slices.js';
import {
  type CommentSlice,
  type ListingPage,
  type ListingRef,
  type Platform,
  type PlatformComment,
  PlatformError,
  type PlatformPost,
  type PlatformSession,
  type Target,
  type TreePost,
} from '../platform.js';
import { PollingStream } from '../polling/polling-stream.js';
import { tellUnread } from '../unread-posts.js';
import { HackerNewsApi, type HackerNewsOptions } from './hackernews-api.js';
import { itemId, itemNumber } from './hackernews-items.js';
import { commentsById, hackerNewsPolled } from './hackernews-listening.js';
import { HackerNewsLookup } from './hackernews-lookup.js';
import {
  accountOf,
  describeTarget,
  isOfComments,
  readHits,
  readStories,
  type Search,
  searchOf,
  type StoriesPage,
} from './hackernews-search.js';
import { readThread } from './hackernews-thread.js';

/** Maximum number of posts that one request finds by their ids. */
const MAX_IDS = 100;
/** Hacker News through its Algolia API: listings by time in pages of up to 1,000 posts, one request for a whole thread. */
export class HackerNewsPlatform implements Platform {
  readonly source = 'hackernews';
  readonly listings = ['date'] as const;
  /** Listings are read by time, page after page, so the API's limit of 1,000 hits per query cuts none short. */
  readonly listingCap = null;
  readonly archive = null;
  /** Stories of the newest comments come first, however old they are. */
  readonly isByActivity = isOfComments;
  readonly lookup: HackerNewsLookup;
  readonly stream: ContentStream;
  private readonly api: HackerNewsApi;

  /** `pollMs` is the time from one request for all that is new to the next. */
  constructor(options: HackerNewsOptions, pollMs: number) {
    this.api = new HackerNewsApi(options);
    this.lookup = new HackerNewsLookup(this.api);
    this.stream = new PollingStream(hackerNewsPolled(this.api, this.lookup, pollMs));
  }

  async fetchListing(
    { target, wanted }: ListingRef,
    after: string | null,
    session: PlatformSession,
  ): Promise<ListingPage> {
    const what = describeTarget(target);
    const search = searchOf(target, wanted, after);
    if (isOfComments(target)) return this.fetchStories(target, search, after === null, session);
    const page = await this.api.search(what, search.params, (json) => readHits(json, search), session);
    tellUnread(session, page.skipped);
    if (after === null && page.posts.length === 0 && target.type === 'user')
      await this.api.requireUser(target.name, session);
    return { posts: page.posts, after: page.after };
  }

  /** The stories of a page of comments, those with the newest comments first. */
  private async fetchStories(
    target: Target,
    search: Search,
    isFirst: boolean,
    session: PlatformSession,
  ): Promise<ListingPage> {
    const read = (json: unknown): StoriesPage | null => readStories(json, search);
    const { ids, after } = await this.api.search(describeTarget(target), search.params, read, session);
    if (isFirst && ids.length === 0 && target.type === 'user')
      await this.api.requireUser(accountOf(target), session);
    const posts = new Map<string, PlatformPost>();
    for (const some of chunksOf(ids, MAX_IDS))
      for (const post of await this.fetchPosts(some, session)) posts.set(post.id, post);
    return { posts: ids.flatMap((id) => posts.get(id) ?? []), after };
  }

  async recognise(url: URL, session: PlatformSession): Promise<Target | null> {
    const number = url.hostname === 'news.ycombinator.com' && itemNumber(url.searchParams.get('id'));
    if (!number || url.pathname !== '/item') return null;
    const [post] = await this.fetchPosts([itemId(number)], session);
    if (post === undefined)
      throw new PlatformError(
        'target_not_found',
        'The item is no story, or no longer there. Copy the address of its story',
      );
    // Stories of no other kind are listed among all new ones.
    const forum = post.forum.replace(/^hn:/, '');
    return { type: 'forum', name: forum === 'story' ? 'new' : forum };
  }

  async *walkComments(post: TreePost, session: PlatformSession): AsyncGenerator<CommentSlice> {
    let missing = 0;
    const comments = await this.api.fetchItem(post.id, session, (json) =>
      readThread(json, post, () => (missing += 1)),
    );
    if (comments === null) yield MISSING_TREE;
    else yield* slicesOf(comments, missing);
  }

  fetchPosts(ids: readonly string[], session: PlatformSession): Promise<PlatformPost[]> {
    return this.api.fetchPosts(ids, session);
  }

  fetchComments(
    ids: readonly string[],
    session: PlatformSession,
  ): Promise<{ posts: PlatformPost[]; comments: PlatformComment[] }> {
    return commentsById(this.api, ids, session);
  }

  close(): Promise<void> {
    this.api.close();
    return Promise.resolve();
  }
}
