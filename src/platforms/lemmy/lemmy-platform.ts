import { siteId, splitSiteId } from '../../common/site-names.js';
import { asObject } from '../http/response-parsing.js';
import { eachSite } from '../sites/site-lookup.js';
import { SitePlatform, USUAL_LATENESS_MS } from '../sites/site-platform.js';
import { answersAs, saysItIs } from '../sites/site-software.js';
import { requireTarget } from '../sites/site-targets.js';
import type { ContentStream } from '../content-stream.js';
import { PollingStream } from '../polling/polling-stream.js';
import { MISSING_TREE, slicesOf } from '../comment-slices.js';
import { deletedPost, goneInThread } from '../deleted-content.js';
import {
  type CommentSlice,
  type ContentLookup,
  type GoneComment,
  type GonePost,
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
import { readLemmyAddress } from './lemmy-addresses.js';
import { commentFeed, isWholeThread } from './lemmy-comment-feed.js';
import type { Dialect } from './dialect.js';
import { dialectOf } from './dialects.js';
import { commentsById, lemmyPolled } from './lemmy-polled.js';
import { readLemmyTarget } from './lemmy-target.js';
import {
  forumOf,
  goneReasonOf,
  isListed,
  isShown,
  LEMMY_PREFIX,
  type LemmyComment,
  mapComment,
  mapPosts,
  missingOf,
  readComments,
} from './lemmy-wire.js';
import type { ThreadFeed } from '../thread-feed.js';
import { tellUnread } from '../unread-posts.js';

/** Instances of Lemmy, PieFed and Mbin as they answer visitors: listings with texts, few requests for a thread. */
export class LemmyPlatform extends SitePlatform implements Platform {
  readonly source = 'lemmy';
  readonly listings = ['new'] as const;
  readonly lateMs = USUAL_LATENESS_MS;
  readonly lookup: ContentLookup = {
    prefixes: { post: LEMMY_PREFIX, comment: LEMMY_PREFIX },
    commentsBy: 'thread',
    findGonePosts: (ids, session) => this.findGonePosts(ids, session),
    findGoneComments: (ids, postId, session) => this.findGoneComments(ids, postId, session),
  };

  /** Of sessions that read a whole community. */
  private readonly feeds = new WeakMap<PlatformSession, ThreadFeed<LemmyComment>>();

  async fetchListing(
    { target, wanted, since }: ListingRef,
    after: string | null,
    session: PlatformSession,
  ): Promise<ListingPage> {
    const read = requireTarget('lemmy', target, readLemmyTarget(target));
    const api = await this.apiOf(read.site, session);
    const { views, after: next, isCut } = await api.listPosts(read, after, session);
    const posts = mapPosts(read.site, views);
    if (after === null && since === undefined) {
      const feed = commentFeed(api, read, posts, next === null ? posts.length : wanted);
      if (feed !== null) this.feeds.set(session, feed);
    }
    tellUnread(session, views.filter(isListed).length - posts.length);
    return { posts, after: next, ...(isCut && { isCut }) };
  }

  async *walkComments(post: TreePost, session: PlatformSession): AsyncGenerator<CommentSlice> {
    const { site, number } = splitSiteId(LEMMY_PREFIX, post.id)!;
    const isWhole = (known: readonly LemmyComment[]): boolean => isWholeThread(known, post.numComments);
    const listed = await this.feeds.get(session)?.take(number, isWhole, session);
    const thread =
      listed !== undefined && isWhole(listed)
        ? listed
        : await (await this.apiOf(site, session)).listComments(number, session);
    if (thread === null) return void (yield MISSING_TREE);
    const shown = thread.filter(isShown);
    const comments = shown
      // Parents before their replies.
      .sort((a, b) => a.path.length - b.path.length)
      .flatMap((comment) => mapComment(site, post, comment) ?? []);
    yield* slicesOf(comments, missingOf(thread) + shown.length - comments.length);
  }

  async recognise(url: URL, session: PlatformSession): Promise<Target | null> {
    const address = readLemmyAddress(url);
    if (address === null) return null;
    const { site } = address;
    const client = this.sites.of(site);
    const isLemmy = (json: unknown): boolean => asObject(asObject(json)?.site_view) !== null;
    const isFound =
      (await saysItIs(client, ['piefed', 'mbin'], session)) ||
      (await answersAs(client, ['/api/v3/site', '/api/v4/site'], isLemmy, session));
    if (!isFound) return null;
    if ('target' in address) return address.target;
    const [kind, number] =
      'post' in address ? (['post', address.post] as const) : (['comment', address.comment] as const);
    const view = await (await this.apiOf(site, session)).getView(kind, number, session);
    const community = view && forumOf(site, view);
    if (community === null)
      throw new PlatformError('target_not_found', `There is no such ${kind} on ${site}, or not for visitors`);
    return { type: 'forum', name: community.endsWith(`@${site}`) ? community : `${community}@${site}` };
  }

  async fetchPosts(ids: readonly string[], session: PlatformSession): Promise<PlatformPost[]> {
    const posts = await Promise.all(
      ids.map(async (id) => {
        const { site, number } = splitSiteId(LEMMY_PREFIX, id)!;
        const view = await (await this.apiOf(site, session)).getView('post', number, session);
        return mapPosts(site, [view]);
      }),
    );
    return posts.flat();
  }

  fetchComments(
    ids: readonly string[],
    session: PlatformSession,
  ): Promise<{ posts: PlatformPost[]; comments: PlatformComment[] }> {
    return commentsById(ids, this, (site) => this.apiOf(site, session), session);
  }

  streamAt(site: string): ContentStream {
    return new PollingStream(lemmyPolled((session) => this.apiOf(site, session), site, this.sites.pollMs()));
  }

  /** Deleted and removed posts are not shown to visitors. */
  private findGonePosts(ids: readonly string[], session: PlatformSession): Promise<GonePost[]> {
    return eachSite(LEMMY_PREFIX, ids, async (site, numbers) => {
      const api = await this.apiOf(site, session);
      const gone: GonePost[] = [];
      for (const number of numbers) {
        const view = await api.getView('post', number, session);
        const reason = view === null ? 'deleted' : goneReasonOf(view);
        if (reason !== null) gone.push(deletedPost(siteId(LEMMY_PREFIX, site, number), reason));
      }
      return gone;
    });
  }

  /** Deleted and removed comments are shown with a flag; purged ones are missing. */
  private findGoneComments(
    ids: readonly string[],
    postId: string,
    session: PlatformSession,
  ): Promise<GoneComment[]> {
    return eachSite(LEMMY_PREFIX, ids, async (site, numbers) => {
      const api = await this.apiOf(site, session);
      const thread = (await api.listComments(splitSiteId(LEMMY_PREFIX, postId)!.number, session)) ?? [];
      return goneInThread(
        numbers,
        new Map(thread.map((comment) => [String(comment.id), comment])),
        async (number) => readComments([await api.getView('comment', number, session)])[0] ?? null,
        reasonOf,
        (number) => siteId(LEMMY_PREFIX, site, number),
      );
    });
  }

  private apiOf(site: string, session: PlatformSession): Promise<Dialect> {
    return dialectOf(this.sites.of(site), this.sites.options, session);
  }
}

function reasonOf(comment: LemmyComment | null): 'deleted' | 'removed' | null {
  if (comment?.isRemoved) return 'removed';
  return comment === null || comment.isDeleted ? 'deleted' : null;
}
