import {
  type Archive,
  type CommentSlice,
  type ContentLookup,
  type ListingPage,
  type ListingRef,
  type Platform,
  type PlatformPost,
  type PlatformSession,
  type TreePost,
} from '../platform.js';
import type { ContentSource } from '../platform-definition.js';
import { ApiClient } from './api-client.js';
import { Authorizer } from './authorizer.js';
import { walkTree } from './comment-tree.js';
import { goneRequest, readGoneComment, readGonePost } from './gone-content.js';
import {
  commentedRequest,
  LISTING_CAP,
  LISTINGS,
  listingRequest,
  lookUpRequest,
  type MappedPage,
} from './listing-request.js';
import { isOfComments } from './reddit-names.js';
import { type PlatformLog, retryDependencies, type TimeOverrides } from '../http/with-retry.js';
import { REDDIT_IDS } from './reddit-ids.js';
import { REDDIT_RETRIES } from './refusals.js';
import { type RequestBudget } from '../http/request-budget.js';
import { Requestor, REQUESTOR_LIMITS, type RequestorLimits } from '../http/requestor.js';
import { tellUnread } from '../unread-posts.js';

/** How to reach Reddit's API, and with which OAuth application. */
export interface RedditOptions {
  /** The source of its posts and comments. Default Reddit. */
  content?: Pick<ContentSource, 'source' | 'ids'>;
  /** Base URL of listings and trees; may include a path. */
  baseUrl: string;
  /** Base URL of the token endpoint; may include a path. */
  authUrl: string;
  clientId: string;
  clientSecret: string;
  userAgent: string;
  /** Serves posts that are older than the listings reach; null without one. Closed together with the platform. */
  archive?: Archive | null;
  /** Shared by all processes that use this client id. */
  budget: RequestBudget;
  /** Receives retries and skipped items. */
  onLog?: PlatformLog;
  limits?: Partial<RequestorLimits>;
  /** Overrides of sleep, clock and random source, for tests. */
  dependencies?: TimeOverrides;
}

/** Reddit through its OAuth API, authorised as an application without a user. */
export class RedditPlatform implements Platform {
  readonly source: string;
  readonly listings = LISTINGS;
  readonly listingCap = LISTING_CAP;
  readonly archive: Archive | null;
  /** Posts of an account's newest comments come first, however old they are. */
  readonly isByActivity = isOfComments;
  readonly lookup: ContentLookup;
  private readonly requestor: Requestor;
  private readonly authorizer: Authorizer;
  private readonly api: ApiClient;
  private readonly log: PlatformLog;
  /** The last stub request of each session: the platform allows one at a time. */
  private readonly lastStubRequest = new WeakMap<PlatformSession, Promise<unknown>>();

  constructor(options: RedditOptions) {
    const { source, ids } = options.content ?? { source: 'reddit', ids: REDDIT_IDS };
    this.source = source;
    this.lookup = {
      prefixes: ids,
      commentsBy: 'id',
      findGonePosts: (ids, session) => this.api.fetch(goneRequest(ids, 't3', readGonePost), session),
      findGoneComments: (ids, _postId, session) =>
        this.api.fetch(goneRequest(ids, 't1', readGoneComment), session),
    };
    this.log = options.onLog ?? (() => undefined);
    this.archive = options.archive ?? null;
    const dependencies = retryDependencies(REDDIT_RETRIES, this.log, options.dependencies);
    this.requestor = new Requestor(options.userAgent, { ...REQUESTOR_LIMITS, ...options.limits });
    this.authorizer = new Authorizer(options, this.requestor, dependencies);
    this.api = new ApiClient(
      this.source,
      options.baseUrl,
      this.requestor,
      this.authorizer,
      options.budget,
      dependencies,
    );
  }

  async fetchListing(
    listing: ListingRef,
    after: string | null,
    session: PlatformSession,
  ): Promise<ListingPage> {
    if (isOfComments(listing.target)) {
      const commented = await this.api.fetch(commentedRequest(listing, after), session);
      const posts = new Map((await this.fetchPosts(commented.ids, session)).map((post) => [post.id, post]));
      return { posts: commented.ids.flatMap((id) => posts.get(id) ?? []), after: commented.after };
    }
    const page = await this.api.fetch(listingRequest(listing, after), session);
    this.tellSkipped(page, session);
    return { posts: page.posts, after: page.after };
  }

  async *walkComments(post: TreePost, session: PlatformSession): AsyncGenerator<CommentSlice> {
    yield* walkTree(
      post,
      (request) => this.api.fetch(request, session),
      (request) => this.serially(session, () => this.api.fetch(request, session)),
    );
  }

  async fetchPosts(ids: readonly string[], session: PlatformSession): Promise<PlatformPost[]> {
    if (ids.length === 0) return [];
    const page = await this.api.fetch(lookUpRequest(ids), session);
    this.tellSkipped(page, session);
    return page.posts;
  }

  /** Runs the work after the session's previous stub request has ended. */
  private serially<T>(session: PlatformSession, work: () => Promise<T>): Promise<T> {
    const previous = this.lastStubRequest.get(session) ?? Promise.resolve();
    const result = previous.then(work);
    this.lastStubRequest.set(
      session,
      result.catch(() => undefined),
    );
    return result;
  }

  close(): Promise<void> {
    this.authorizer.close();
    this.requestor.close();
    this.archive?.close();
    return Promise.resolve();
  }

  private tellSkipped(page: MappedPage, session: PlatformSession): void {
    tellUnread(session, page.skipped);
    if (page.droppedUrls > 0) this.log('URLs left out', { count: page.droppedUrls, reason: 'too long' });
  }
}
