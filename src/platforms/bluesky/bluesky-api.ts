import { chunksOf } from '../../common/collections.js';
import { asArray, asObject, asText, type WireObject } from '../http/response-parsing.js';
import type { SiteClient, SiteRequest } from '../http/site-client.js';
import { type Attempt, readAs } from '../http/with-retry.js';
import { PlatformError, type PlatformSession } from '../platform.js';
import type { BlueskyTarget } from './bluesky-target.js';
import { type BlueskyPost, readPosts } from './bluesky-wire.js';

/** Posts per page of a feed. */
const PAGE_SIZE = 100;
/** Posts that a request asks for by their AT-URIs. */
const POSTS_PER_REQUEST = 25;
/** Levels of a thread that are requested. The AppView gives fewer. */
const MAX_DEPTH = 1_000;

/** A target with a listing. */
export type ListedTarget = Exclude<BlueskyTarget, { kind: 'tag' }>;

/** A page of a feed as received, without reposts. */
export interface FeedPage {
  posts: BlueskyPost[];
  after: string | null;
}

/** The methods of the AppView that visitors may use. */
export class BlueskyApi {
  constructor(private readonly client: SiteClient) {}

  /**
   * A page of a target. Only an empty page or a page without a cursor is the last: what visitors do not see is missing
   * from a page.
   */
  async readFeed(target: ListedTarget, after: string | null, session: PlatformSession): Promise<FeedPage> {
    const [method, params] = methodOf(target);
    const query = { ...params, limit: String(PAGE_SIZE), ...(after !== null && { cursor: after }) };
    const what = describe(target);
    const page = await this.fetch<FeedPage | null>(what, method, query, session, readPage, (refusal) => {
      const isMissing = /not found|could not find/i.test(refusal.message) || /^Account/.test(refusal.error);
      return isMissing ? { done: true, value: null } : null;
    });
    if (page === null) throw await this.missing(target, session);
    return { ...page, after: page.after === after ? null : page.after };
  }

  /** The tree below a post; null when there is no such post for visitors. */
  readThread(uri: string, session: PlatformSession): Promise<WireObject | null> {
    const params = { uri, depth: String(MAX_DEPTH), parentHeight: '0' };
    return this.fetch<WireObject | null>(
      `the thread of ${uri}`,
      'app.bsky.feed.getPostThread',
      params,
      session,
      (json) => asObject(asObject(json)?.thread),
      ({ error }) => (error === 'NotFound' ? { done: true, value: null } : null),
    );
  }

  /** Posts by their AT-URIs; those that are not there are left out. */
  async readPosts(uris: readonly string[], session: PlatformSession): Promise<BlueskyPost[]> {
    const found: BlueskyPost[] = [];
    for (const some of chunksOf(uris, POSTS_PER_REQUEST)) {
      const params = some.map((uri): [string, string] => ['uris', uri]);
      const what = `${params.length} posts`;
      found.push(
        ...(await this.fetch(what, 'app.bsky.feed.getPosts', params, session, (json) => {
          const posts = asObject(json)?.posts;
          return Array.isArray(posts) ? readPosts(posts) : null;
        })),
      );
    }
    return found;
  }

  /** Why a target is not there. Only the profile of an account shows whether it is suspended. */
  private async missing(target: ListedTarget, session: PlatformSession): Promise<PlatformError> {
    const what = describe(target);
    if (target.kind !== 'user')
      return new PlatformError('target_not_found', `There is no ${what} on Bluesky`);
    const params = { actor: target.handle };
    const why = await this.fetch<string>(
      what,
      'app.bsky.actor.getProfile',
      params,
      session,
      () => '',
      ({ error }) => ({ done: true, value: error }),
    );
    if (why === 'AccountTakedown') return new PlatformError('target_banned', `Bluesky has suspended ${what}`);
    return new PlatformError(
      'target_not_found',
      why === 'AccountDeactivated'
        ? `The owner of ${what} has deactivated it`
        : `There is no ${what} on Bluesky, or not for visitors. Handles change; the DID of an account stays`,
    );
  }

  private fetch<T>(
    what: string,
    method: string,
    params: SiteRequest<T>['params'],
    session: PlatformSession,
    read: (json: unknown) => T | null,
    refused?: (error: { error: string; message: string }) => Attempt<T> | null,
  ): Promise<T> {
    return this.client.fetch<T>(
      {
        what,
        path: `/xrpc/${method}`,
        ...(params && { params }),
        isUrgent: true,
        read: (json) => readAs(read(json)),
        refused: (_status, body) =>
          refused?.({ error: asText(body?.error) ?? '', message: asText(body?.message) ?? '' }) ?? null,
      },
      session,
    );
  }
}

function readPage(json: unknown): FeedPage | null {
  const page = asObject(json);
  if (!Array.isArray(page?.feed)) return null;
  const items = asArray(page.feed).map(asObject);
  const own = items.filter((item) => !asText(asObject(item?.reason)?.$type)?.endsWith('#reasonRepost'));
  return {
    posts: readPosts(own.map((item) => item?.post)),
    after: items.length === 0 ? null : asText(page.cursor),
  };
}

function methodOf(target: ListedTarget): [string, Record<string, string>] {
  switch (target.kind) {
    case 'user':
      return ['app.bsky.feed.getAuthorFeed', { actor: target.handle, filter: 'posts_no_replies' }];
    case 'list':
      return ['app.bsky.feed.getListFeed', { list: target.uri }];
    case 'feed':
      return ['app.bsky.feed.getFeed', { feed: target.uri }];
  }
}

function describe(target: ListedTarget): string {
  return target.kind === 'user' ? `the account "${target.handle}"` : `the ${target.kind} "${target.uri}"`;
}
