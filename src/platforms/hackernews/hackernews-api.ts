import { type ApiOptions, JsonClient } from '../http/json-client.js';
import { Requestor, REQUESTOR_LIMITS, type RequestorLimits } from '../http/requestor.js';
import { asObject } from '../http/response-parsing.js';
import { OPEN_RULES, type RetryPolicy } from '../http/retry-policy.js';
import { readAs, retryDependencies } from '../http/with-retry.js';
import { PlatformError, type PlatformPost, type PlatformSession } from '../platform.js';
import { tellUnread } from '../unread-posts.js';
import { numberOf } from './hackernews-items.js';
import { describeTarget, readHits, refusal } from './hackernews-search.js';
import { readItems } from './hackernews-thread.js';

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

/** Enough for a thread with tens of thousands of comments in one response. */
const MAX_ANSWER_BYTES = 128 * 1_024 * 1_024;

/** The requests to the Algolia API of Hacker News. */
export class HackerNewsApi {
  private readonly requestor: Requestor;
  private readonly client: JsonClient;

  constructor({ baseUrl, userAgent, budget, onLog, limits, dependencies }: HackerNewsOptions) {
    this.requestor = new Requestor(userAgent, { ...REQUESTOR_LIMITS, maxBytes: MAX_ANSWER_BYTES, ...limits });
    this.client = new JsonClient(
      { source: 'hackernews', baseUrl, variable: 'HACKERNEWS_API_URL' },
      this.requestor,
      budget,
      retryDependencies(RETRIES, onLog, dependencies),
    );
  }

  /** A page of a search, newest first; `read` gives null for an unexpected shape. */
  search<Page>(
    what: string,
    params: Record<string, string>,
    read: (json: unknown) => Page | null,
    session: PlatformSession,
  ): Promise<Page> {
    return this.client.fetch<Page>(
      {
        what,
        path: '/search_by_date',
        params,
        isUrgent: true,
        read: (json) => readAs(read(json)),
        refused: (status, body) => refusal(what, status, body),
      },
      session,
    );
  }

  /** Posts by their ids; those that are not in the index are left out. */
  async fetchPosts(ids: readonly string[], session: PlatformSession): Promise<PlatformPost[]> {
    if (ids.length === 0) return [];
    const stories = ids.map((id) => `story_${numberOf(id)}`);
    const params = { tags: `(story,poll,job),(${stories.join(',')})`, hitsPerPage: '1000' };
    const what = `${ids.length} posts by id`;
    const page = await this.search(what, params, (json) => readHits(json, { before: null }), session);
    tellUnread(session, page.skipped);
    return page.posts.filter((post) => ids.includes(post.id));
  }

  /** Reads an item with `read`; null when the index has no such item. */
  fetchItem<T>(id: string, session: PlatformSession, read: (json: unknown) => T | null): Promise<T | null> {
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

  /** Ids of an item and of the comments below it, without deleted ones; null when the index has no such item. */
  fetchIds(id: string, session: PlatformSession): Promise<string[] | null> {
    return this.fetchItem(id, session, (json) => readItems(json, id));
  }

  /** Throws {@link PlatformError} for an unknown account: a search for one is empty, like one for an account without posts. */
  async requireUser(name: string, session: PlatformSession): Promise<void> {
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

  close(): void {
    this.requestor.close();
  }
}
