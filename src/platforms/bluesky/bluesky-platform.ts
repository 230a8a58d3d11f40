import { lookupById } from '../deleted-content.js';
import type { Sites } from '../http/sites.js';
import {
  type CommentSlice,
  type ContentStream,
  type ListingPage,
  type ListingRef,
  type Platform,
  PlatformError,
  type PlatformPost,
  type PlatformSession,
  type TreePost,
  USUAL_LATENESS_MS,
} from '../platform.js';
import { BlueskyApi } from './bluesky-api.js';
import { readBlueskyTarget } from './bluesky-target.js';
import { BlueskyThread } from './bluesky-thread.js';
import { BLUESKY_PREFIX, type BlueskyPost, mapPost, uriOfId } from './bluesky-wire.js';

/** The name under which requests to the AppView are counted. */
export const APPVIEW = 'public.api.bsky.app';

/** Bluesky as its AppView shows it to visitors: accounts, lists, feeds, and threads. */
export class BlueskyPlatform implements Platform {
  readonly source = 'bluesky';
  readonly listings = ['feed'] as const;
  readonly listingCap = null;
  readonly archive = null;
  readonly lateMs = USUAL_LATENESS_MS;
  readonly lookup = lookupById(BLUESKY_PREFIX, (ids, session) => this.findGone(ids, session));
  private readonly api: BlueskyApi;

  constructor(
    private readonly sites: Sites,
    readonly stream: ContentStream,
    private readonly ignoresNoindex: boolean,
  ) {
    this.api = new BlueskyApi(sites.of(APPVIEW));
  }

  /** Replies are left out: they are comments of the threads that they belong to. */
  async fetchListing(
    { target }: ListingRef,
    after: string | null,
    session: PlatformSession,
  ): Promise<ListingPage> {
    const read = readBlueskyTarget(target);
    if (read === null || read.kind === 'tag')
      throw new PlatformError('target_not_found', `There is no target "bsky:${target.name}"`);
    const page = await this.api.readFeed(read, after, session);
    const shown = page.posts.filter((post) => this.isShown(post));
    if (read.kind === 'user' && shown.length < page.posts.length)
      throw new PlatformError(
        'target_forbidden',
        `The account "${read.handle}" asks not to be shown to visitors. The operator can ignore it with SOURCE_IGNORE_NOINDEX=true`,
      );
    return { posts: shown.filter(({ isReply }) => !isReply).map(mapPost), after: page.after };
  }

  walkComments(post: TreePost, session: PlatformSession): AsyncGenerator<CommentSlice> {
    return new BlueskyThread(this.api, post, (reply) => this.isShown(reply)).walk(session);
  }

  async fetchPosts(ids: readonly string[], session: PlatformSession): Promise<PlatformPost[]> {
    const uris = ids.flatMap((id) => uriOfId(id) ?? []);
    const posts = await this.api.readPosts(uris, session);
    return posts.filter((post) => this.isShown(post)).map(mapPost);
  }

  private async findGone(ids: readonly string[], session: PlatformSession): Promise<string[]> {
    const known = ids.flatMap((id) => {
      const uri = uriOfId(id);
      return uri === null ? [] : { id, uri };
    });
    const uris = known.map(({ uri }) => uri);
    const shown = new Set((await this.api.readPosts(uris, session)).map(({ id }) => id));
    return known.filter(({ id }) => !shown.has(id)).map(({ id }) => id);
  }

  private isShown({ isForMembers }: BlueskyPost): boolean {
    return this.ignoresNoindex || !isForMembers;
  }

  close(): Promise<void> {
    this.sites.close();
    return Promise.resolve();
  }
}
