import { chunksOf } from '../../common/collections.js';
import { MISSING_TREE, slicesOf } from '../comment-slices.js';
import { deletedComment, deletedPost } from '../deleted-content.js';
import { type ApiOptions, JsonClient, type JsonRequest } from '../http/json-client.js';
import { Requestor, REQUESTOR_LIMITS, type RequestorLimits } from '../http/requestor.js';
import { OPEN_RULES, type RetryPolicy } from '../http/retry-policy.js';
import { readAs, retryDependencies } from '../http/with-retry.js';
import { asObject } from '../http/response-parsing.js';
import { ItemFaults } from '../item-faults.js';
import {
  type CommentSlice,
  type ContentLookup,
  type ListingPage,
  type ListingRef,
  type Platform,
  type PlatformComment,
  PlatformError,
  type PlatformPost,
  type PlatformSession,
  type Target,
  type GoneComment,
  type GonePost,
  type TreePost,
} from '../platform.js';
import { HACKERNEWS_IDS } from './hackernews-ids.js';
import {
  accountOf,
  describeTarget,
  isOfComments,
  readHits,
  readStories,
  refusal,
  type Search,
  searchOf,
} from './hackernews-search.js';
import { itemId, itemNumber } from './hackernews-items.js';
import { readItems, readThread } from './hackernews-thread.js';
import { tellUnread } from '../unread-posts.js';

const RETRIES: RetryPolicy = {
  rules: { ...OPEN_RULES, unauthorized: { retries: 2, baseMs: 1_000, capMs: 5_000, failsAs: 'blocked' } },
  source: 'Hacker News',
  remedies: {
    rate_limited: 'Lower HACKERNEWS_REQUESTS_PER_HOUR, or look for other programs that use this address',
    blocked: 'Check HACKERNEWS_API_URL and the address this service runs from',
    unauthorized: 'Check HACKERNEWS_API_URL, which needs no credentials',
  },
};

/** How to reach the Algolia API of Hacker News: the base URL of `/search_by_date` and `/items`. */
export interface HackerNewsOptions extends ApiOptions {
  limits?: Partial<RequestorLimits>;
}

/** Maximum number of posts that one request finds by their ids. */
const MAX_IDS = 100;
/**
 * Maximum number of comments that one lookup of a thread requests individually; the others are left for the next pass.
 */
const MAX_ITEMS = 100;
/** Items of one lookup that fail in a row before the lookup fails. */
const MAX_FAILED_ITEMS = 3;
/** Enough for a thread with tens of thousands of comments in one response. */
const MAX_ANSWER_BYTES = 128 * 1_024 * 1_024;

/** Hacker News through its Algolia API: listings by time in pages of up to 1,000 posts, one request for a whole thread. */
export class HackerNewsPlatform implements Platform {
  readonly source = 'hackernews';
  readonly listings = ['date'] as const;
  /** Listings are read by time, page after page, so the API's limit of 1,000 hits per query cuts none short. */
  readonly listingCap = null;
  readonly archive = null;
  /** Stories of the newest comments come first, however old they are. */
  readonly isByActivity = isOfComments;
  readonly lookup: ContentLookup = {
    prefixes: HACKERNEWS_IDS,
    commentsBy: 'thread',
    findGonePosts: (ids, session) => this.findGonePosts(ids, session),
    findGoneComments: (ids, postId, session) => this.findGoneComments(ids, postId, session),
  };
  private readonly requestor: Requestor;
  private readonly client: JsonClient;

  constructor({ baseUrl, userAgent, budget, onLog, limits, dependencies }: HackerNewsOptions) {
    this.requestor = new Requestor(userAgent, { ...REQUESTOR_LIMITS, maxBytes: MAX_ANSWER_BYTES, ...limits });
    this.client = new JsonClient(
      'hackernews',
      baseUrl,
      'HACKERNEWS_API_URL',
      this.requestor,
      budget,
      retryDependencies(RETRIES, onLog, dependencies),
    );
  }

  async fetchListing(
    { target, wanted }: ListingRef,
    after: string | null,
    session: PlatformSession,
  ): Promise<ListingPage> {
    const what = describeTarget(target);
    const search = searchOf(target, wanted, after);
    if (isOfComments(target)) return this.fetchStories(target, search, after === null, session);
    const page = await this.client.fetch(
      searchRequest(what, search.params, (json) => readHits(json, search)),
      session,
    );
    tellUnread(session, page.skipped);
    if (after === null && page.posts.length === 0 && target.type === 'user')
      await this.requireUser(target.name, session);
    return { posts: page.posts, after: page.after };
  }

  /** The stories of a page of comments, those with the newest comments first. */
  private async fetchStories(
    target: Target,
    search: Search,
    isFirst: boolean,
    session: PlatformSession,
  ): Promise<ListingPage> {
    const request = searchRequest(describeTarget(target), search.params, (json) => readStories(json, search));
    const { ids, after } = await this.client.fetch(request, session);
    if (isFirst && ids.length === 0 && target.type === 'user')
      await this.requireUser(accountOf(target), session);
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
    const comments = await this.fetchThread(post, session, () => (missing += 1));
    if (comments === null) yield MISSING_TREE;
    else yield* slicesOf(comments, missing);
  }

  /** The comments of a thread; null when the thread is dead or deleted. */
  private fetchThread(
    post: TreePost,
    session: PlatformSession,
    onUnread?: () => void,
  ): Promise<PlatformComment[] | null> {
    return this.fetchItems(post.id, session, (json) => readThread(json, post, onUnread));
  }

  /** Reads an item with `read`; null when the index has no such item. */
  private fetchItems<T>(
    id: string,
    session: PlatformSession,
    read: (json: unknown) => T | null,
  ): Promise<T | null> {
    const what = `the thread ${id}`;
    return this.client.fetch<T | null>(
      {
        what,
        path: `/items/${numberOf(id)}`,
        params: {},
        isUrgent: false,
        read: (json) => readAs(read(json)),
        // A dead or deleted thread is not in the index.
        refused: (status, body) =>
          status === 404 || status === 410 ? { done: true, value: null } : refusal(what, status, body),
      },
      session,
    );
  }

  /**
   * Dead and deleted posts are not in the index. A post that the search lacks is gone if its thread is missing too, and
   * if the index has most of the others: it may lack posts of a time for other reasons, and then says nothing of them.
   */
  private async findGonePosts(ids: readonly string[], session: PlatformSession): Promise<GonePost[]> {
    const found = new Set((await this.fetchPosts(ids, session)).map(({ id }) => id));
    const missing: string[] = [];
    for (const id of ids) {
      if (found.has(id)) continue;
      if ((await this.fetchThread({ id, forum: '', permalink: '' }, session)) === null) missing.push(id);
      else found.add(id);
    }
    return missing.length > found.size ? [] : missing.map((id) => deletedPost(id));
  }

  /**
   * Dead and deleted comments are not in the thread, but neither are those that moderators moved elsewhere. A missing
   * comment is therefore gone only if its own item is. When the whole thread is gone, nothing is known about its
   * comments.
   */
  private async findGoneComments(
    ids: readonly string[],
    postId: string,
    session: PlatformSession,
  ): Promise<GoneComment[]> {
    const thread = await this.fetchItem(postId, session);
    if (thread === null) return [];
    const shown = new Set(thread);
    const gone: GoneComment[] = [];
    // Parents have lower numbers than their replies, and replies are moved together with them, so one request finds
    // them all.
    const missing = ids.filter((id) => !shown.has(id)).sort((a, b) => numberOf(a) - numberOf(b));
    const faults = new ItemFaults(MAX_FAILED_ITEMS);
    let requests = 0;
    for (const id of missing) {
      if (shown.has(id)) continue;
      if ((requests += 1) > MAX_ITEMS) break;
      try {
        const item = await this.fetchItem(id, session);
        faults.succeeded();
        for (const one of item ?? []) shown.add(one);
        if (!shown.has(id)) gone.push(deletedComment(id));
      } catch (error) {
        if (!faults.passesOver(error)) throw error;
      }
    }
    return gone;
  }

  /** Ids of an item and of the comments below it, without deleted ones; null when the index has no such item. */
  private fetchItem(id: string, session: PlatformSession): Promise<string[] | null> {
    return this.fetchItems(id, session, (json) => readItems(json, id));
  }

  async fetchPosts(ids: readonly string[], session: PlatformSession): Promise<PlatformPost[]> {
    if (ids.length === 0) return [];
    const stories = ids.map((id) => id.replace(/^hn_/, 'story_'));
    const params = { tags: `(story,poll,job),(${stories.join(',')})`, hitsPerPage: '1000' };
    const page = await this.client.fetch(
      searchRequest(`${ids.length} posts by id`, params, (json) => readHits(json, { before: null })),
      session,
    );
    tellUnread(session, page.skipped);
    return page.posts.filter((post) => ids.includes(post.id));
  }

  close(): Promise<void> {
    this.requestor.close();
    return Promise.resolve();
  }

  /** A search for an unknown author is empty, like one for an author without posts. */
  private async requireUser(name: string, session: PlatformSession): Promise<void> {
    const what = describeTarget({ type: 'user', name });
    const isKnown = await this.client.fetch<boolean>(
      {
        what,
        path: `/users/${encodeURIComponent(name)}`,
        params: {},
        isUrgent: true,
        read: (json) => readAs(asObject(json) && true),
        refused: (status, body) =>
          status === 404 ? { done: true, value: false } : refusal(what, status, body),
      },
      session,
    );
    if (!isKnown) throw new PlatformError('target_not_found', `There is no ${what} on Hacker News`);
  }
}

/** The number of a platform id. */
const numberOf = (id: string): number => Number(id.replace(/^hn_/, ''));

function searchRequest<Page>(
  what: string,
  params: Record<string, string>,
  read: (json: unknown) => Page | null,
): JsonRequest<Page> {
  return {
    what,
    path: '/search_by_date',
    params,
    isUrgent: true,
    read: (json) => readAs(read(json)),
    refused: (status, body) => refusal(what, status, body),
  };
}
