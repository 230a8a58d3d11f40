import type { ContentStream } from '../content-stream.js';
import { lookupById } from '../deleted-content.js';
import { SitePlatform, USUAL_LATENESS_MS } from '../sites/site-platform.js';
import { requireTarget } from '../sites/site-targets.js';
import type { Sites } from '../sites/sites.js';
import {
  type CommentSlice,
  type ListingPage,
  type ListingRef,
  type Platform,
  type PlatformComment,
  PlatformError,
  type PlatformPost,
  type PlatformSession,
  type TreePost,
} from '../platform.js';
import { BlueskyApi } from './bluesky-api.js';
import { readBlueskyTarget } from './bluesky-target.js';
import { walkThread } from './bluesky-thread.js';
import { BLUESKY_PREFIX, mapPost, mapReply, placeOf, uriOfId } from './bluesky-wire.js';

/** The name under which requests to the AppView are counted. */
export const APPVIEW = 'public.api.bsky.app';

/** Bluesky as its AppView shows it to visitors: accounts, lists, feeds, and threads. */
export class BlueskyPlatform extends SitePlatform implements Platform {
  readonly source = 'bluesky';
  readonly listings = ['feed'] as const;
  readonly lateMs = USUAL_LATENESS_MS;
  readonly lookup = lookupById(BLUESKY_PREFIX, (ids, session) => this.findGone(ids, session));
  private readonly api = new BlueskyApi(this.sites.of(APPVIEW));

  constructor(
    sites: Sites,
    readonly stream: ContentStream,
  ) {
    super(sites);
  }

  /** Replies are left out: they are comments of the threads that they belong to. */
  async fetchListing(
    { target }: ListingRef,
    after: string | null,
    session: PlatformSession,
  ): Promise<ListingPage> {
    const read = readBlueskyTarget(target);
    // Tags and searches have no listing: their posts come by the stream.
    const isStreamed = read?.kind === 'tag' || read?.kind === 'search';
    const listed = requireTarget('bsky', target, isStreamed ? null : read);
    const page = await this.api.readFeed(listed, after, session);
    const shown = page.posts.filter((post) => this.isShown(post));
    if (listed.kind === 'user' && shown.length < page.posts.length)
      throw new PlatformError(
        'target_forbidden',
        `The account "${listed.name}" asks not to be shown to visitors. The operator can ignore it with SOURCE_IGNORE_NOINDEX=true`,
      );
    return { posts: shown.filter(({ isReply }) => !isReply).map(mapPost), after: page.after };
  }

  walkComments(post: TreePost, session: PlatformSession): AsyncGenerator<CommentSlice> {
    return walkThread(this.api, post, (reply) => this.isShown(reply), session);
  }

  async fetchPosts(ids: readonly string[], session: PlatformSession): Promise<PlatformPost[]> {
    const uris = ids.flatMap((id) => uriOfId(id) ?? []);
    const posts = await this.api.readPosts(uris, session);
    return posts.filter((post) => this.isShown(post)).map(mapPost);
  }

  async fetchComments(
    ids: readonly string[],
    session: PlatformSession,
  ): Promise<{ posts: PlatformPost[]; comments: PlatformComment[] }> {
    const uris = ids.flatMap((id) => uriOfId(id) ?? []);
    const found = (await this.api.readPosts(uris, session)).filter((reply) => this.isShown(reply));
    const replies = found.flatMap((reply) => {
      const place = placeOf(reply);
      return place === null ? [] : [{ reply, ...place }];
    });
    const roots = await this.fetchPosts([...new Set(replies.map(({ rootId }) => rootId))], session);
    const posts = new Map(roots.map((post) => [post.id, post]));
    const comments = replies.flatMap(({ reply, rootId, parentId }) => {
      const post = posts.get(rootId);
      // Depths below the first are not known without the thread.
      return post === undefined
        ? []
        : mapReply(reply, post, { parentId, depth: parentId === rootId ? 0 : 1 });
    });
    const above = new Set(comments.map(({ postId }) => postId));
    return { posts: roots.filter(({ id }) => above.has(id)), comments };
  }

  private async findGone(ids: readonly string[], session: PlatformSession): Promise<string[]> {
    const known = ids.filter((id) => uriOfId(id) !== null);
    const uris = known.map((id) => uriOfId(id)!);
    const shown = new Set((await this.api.readPosts(uris, session)).map(({ id }) => id));
    return known.filter((id) => !shown.has(id));
  }
}
