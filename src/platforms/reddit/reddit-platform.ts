import {
  type CommentSlice,
  type ListingPage,
  type ListingRef,
  type Platform,
  type PlatformPost,
  type PlatformSession,
} from '../platform.js';
import { ApiClient } from './api-client.js';
import { Authorizer } from './authorizer.js';
import { walkTree } from './comment-tree.js';
import { listingRequest, lookUpRequest, type MappedPage } from './listing-walker.js';
import { type PlatformLog, sleep, type Surroundings } from './persistence.js';
import { type RequestBudget } from './request-budget.js';
import { Requestor, REQUESTOR_LIMITS, type RequestorLimits } from './requestor.js';

export interface RedditOptions {
  /** Where listings and trees are asked for; may end in a path. */
  baseUrl: string;
  /** Where tokens are asked for; may end in a path. */
  authUrl: string;
  clientId: string;
  clientSecret: string;
  userAgent: string;
  /** Shared by everything that uses this client id. */
  budget: RequestBudget;
  /** What was survived: repeated requests, things left out. */
  onLog?: PlatformLog;
  limits?: Partial<RequestorLimits>;
  /** Time and chance, for tests. */
  surroundings?: Partial<Omit<Surroundings, 'log'>>;
}

/** Reddit through its OAuth API, as an application without a user. */
export class RedditPlatform implements Platform {
  private readonly requestor: Requestor;
  private readonly authorizer: Authorizer;
  private readonly api: ApiClient;
  private readonly log: PlatformLog;
  /** The last expansion of stubs of each session: the platform wants them asked for one at a time. */
  private readonly expanding = new WeakMap<PlatformSession, Promise<unknown>>();

  constructor(options: RedditOptions) {
    this.log = options.onLog ?? (() => undefined);
    const surroundings: Surroundings = {
      sleep,
      random: Math.random,
      now: Date.now,
      ...options.surroundings,
      log: this.log,
    };
    this.requestor = new Requestor(options.userAgent, { ...REQUESTOR_LIMITS, ...options.limits });
    this.authorizer = new Authorizer(options, this.requestor, surroundings);
    this.api = new ApiClient(options.baseUrl, this.requestor, this.authorizer, options.budget, surroundings);
  }

  async fetchListing(
    listing: ListingRef,
    after: string | null,
    session: PlatformSession,
  ): Promise<ListingPage> {
    const page = await this.api.ask(listingRequest(listing, after), session);
    this.tellSkipped(page);
    return { posts: page.posts, after: page.after };
  }

  async *walkComments(
    post: Pick<PlatformPost, 'id' | 'permalink'>,
    session: PlatformSession,
  ): AsyncGenerator<CommentSlice> {
    yield* walkTree(
      post,
      (request) => this.api.ask(request, session),
      () => this.log('comment left out', { post: post.id, reason: 'not readable' }),
      (request) => this.serially(session, () => this.api.ask(request, session)),
    );
  }

  async fetchPosts(ids: readonly string[], session: PlatformSession): Promise<PlatformPost[]> {
    if (ids.length === 0) return [];
    const page = await this.api.ask(lookUpRequest(ids), session);
    this.tellSkipped(page);
    return page.posts;
  }

  /** One after the other within a session. */
  private serially<T>(session: PlatformSession, work: () => Promise<T>): Promise<T> {
    const turn = this.expanding.get(session) ?? Promise.resolve();
    const done = turn.then(work);
    this.expanding.set(
      session,
      done.catch(() => undefined),
    );
    return done;
  }

  close(): Promise<void> {
    this.authorizer.close();
    this.requestor.close();
    return Promise.resolve();
  }

  private tellSkipped(page: MappedPage): void {
    if (page.skipped > 0) this.log('posts left out', { count: page.skipped, reason: 'not readable' });
  }
}
