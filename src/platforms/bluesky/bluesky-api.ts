import { distinctBy, readInChunks } from '../../common/collections.js';
import { asKey, asObject, asObjects, asText, type WireObject } from '../http/response-parsing.js';
import type { ReadRequest, SiteClient } from '../sites/site-client.js';
import { PlatformError, type PlatformSession } from '../platform.js';
import type { BlueskyTarget } from './bluesky-target.js';
import { filledPage } from '../filled-page.js';
import { type BlueskyPost, readPost, readPosts } from './bluesky-wire.js';
import { tellUnread } from '../unread-posts.js';

/** Posts per page of a feed. */
const PAGE_SIZE = 100;
/** Posts that a request asks for by their AT-URIs. */
const POSTS_PER_REQUEST = 25;
/** Levels of a thread that are requested. The AppView gives fewer. */
const MAX_DEPTH = 1_000;

/** A target with a listing. */
export type ListedTarget = Exclude<BlueskyTarget, { kind: 'tag' } | { kind: 'search' }>;

/** The method of each feed, and its parameter for the target. */
const FEEDS: Readonly<Record<ListedTarget['kind'], readonly [string, string]>> = {
  user: ['getAuthorFeed', 'actor'],
  list: ['getListFeed', 'list'],
  feed: ['getFeed', 'feed'],
};

/** A page of a feed as received, without reposts. */
export interface FeedPage {
  posts: BlueskyPost[];
  /** Number of its items, reposts included. */
  received: number;
  after: string | null;
}

/** The methods of the AppView that visitors may use. */
export class BlueskyApi {
  constructor(private readonly client: SiteClient) {}

  /** A page of a target. Only one without a cursor is the last: what visitors do not see is missing from a page. */
  readFeed(target: ListedTarget, after: string | null, session: PlatformSession): Promise<FeedPage> {
    return filledPage(after, (from) => this.readPage(target, from, session));
  }

  private async readPage(
    target: ListedTarget,
    after: string | null,
    session: PlatformSession,
  ): Promise<FeedPage> {
    const [method, parameter] = FEEDS[target.kind];
    const params = {
      [parameter]: target.name,
      ...(target.kind === 'user' && { filter: 'posts_no_replies' }),
      limit: String(PAGE_SIZE),
      ...(after !== null && { cursor: after }),
    };
    const request = {
      what: describe(target),
      method: `feed.${method}`,
      params,
      read: (json: unknown) => readPage(json, session),
    };
    const page = await this.fetch<FeedPage | null>(request, session, (error, message) =>
      /not found|could not find/i.test(message) || error.startsWith('Account') ? null : undefined,
    );
    if (page === null) throw await this.missing(target, session);
    return { ...page, after: page.after === after ? null : page.after };
  }

  /** The tree below a post; null when there is no such post for visitors. */
  readThread(uri: string, session: PlatformSession): Promise<WireObject | null> {
    const request = {
      what: `the thread of ${uri}`,
      method: 'feed.getPostThread',
      params: { uri, depth: String(MAX_DEPTH), parentHeight: '0' },
      read: (json: unknown) => asObject(asObject(json)?.thread),
    };
    return this.fetch<WireObject | null>(request, session, (error) =>
      error === 'NotFound' ? null : undefined,
    );
  }

  /** Posts by their AT-URIs; those that are not there are left out. */
  readPosts(uris: readonly string[], session: PlatformSession): Promise<BlueskyPost[]> {
    return readInChunks(uris, POSTS_PER_REQUEST, (some) => {
      const params = some.map((uri): [string, string] => ['uris', uri]);
      const read = (json: unknown): BlueskyPost[] | null => {
        const posts = asObject(json)?.posts;
        return Array.isArray(posts) ? readPosts(posts) : null;
      };
      return this.fetch({ what: `${some.length} posts`, method: 'feed.getPosts', params, read }, session);
    });
  }

  /** Why a target is not there. Only the profile of an account shows whether it is suspended. */
  private async missing(target: ListedTarget, session: PlatformSession): Promise<PlatformError> {
    const what = describe(target);
    if (target.kind !== 'user')
      return new PlatformError('target_not_found', `There is no ${what} on Bluesky`);
    const request = { what, method: 'actor.getProfile', params: { actor: target.name }, read: () => '' };
    const why = await this.fetch<string>(request, session, (error) => error);
    if (why === 'AccountTakedown') return new PlatformError('target_banned', `Bluesky has suspended ${what}`);
    return new PlatformError(
      'target_not_found',
      why === 'AccountDeactivated'
        ? `The owner of ${what} has deactivated it`
        : `There is no ${what} on Bluesky, or not for visitors. Handles change; the DID of an account stays`,
    );
  }

  /** `refused` gives undefined for an error that is not expected. */
  private fetch<T>(
    { method, ...request }: Omit<ReadRequest<T>, 'path'> & { method: string },
    session: PlatformSession,
    refused: (error: string, message: string) => T | undefined = () => undefined,
  ): Promise<T> {
    return this.client.read<T>(
      {
        ...request,
        path: `/xrpc/app.bsky.${method}`,
        refused: (_status, body) => {
          const value = refused(asText(body?.error) ?? '', asText(body?.message) ?? '');
          return value === undefined ? null : { done: true, value };
        },
      },
      session,
    );
  }
}

function readPage(json: unknown, session: PlatformSession): FeedPage | null {
  const page = asObject(json);
  if (!Array.isArray(page?.feed)) return null;
  const isRepost = (reason: unknown): boolean =>
    asText(asObject(reason)?.$type)?.endsWith('#reasonRepost') === true;
  const own = asObjects(page.feed).filter(({ reason }) => !isRepost(reason));
  const posts = own.flatMap(({ post }) => readPost(post) ?? []);
  tellUnread(session, own.length - posts.length);
  return {
    posts: distinctBy(posts, ({ id }) => id),
    received: page.feed.length,
    after: asKey(page.cursor),
  };
}

function describe({ kind, name }: ListedTarget): string {
  return `the ${kind === 'user' ? 'account' : kind} "${name}"`;
}
