import { LRUCache } from 'lru-cache';
import { slicesOf } from '../../comment-slices.js';
import {
  type Archive,
  type CommentSlice,
  type ListingPage,
  type ListingRef,
  type Platform,
  PlatformError,
  type PlatformPost,
  type PlatformSession,
  type Target,
  type TreePost,
} from '../../platform.js';
import { UNKNOWN_FIELDS } from '../../unknown-fields.js';
import { tellUnread } from '../../unread-posts.js';
import { LISTING_CAP, namedSubject } from '../listing-request.js';
import { mapComment, mapPost } from '../mapper.js';
import { isOfComments } from '../reddit-names.js';
import { bareId } from '../wire.js';
import { FEED_DEPTH, type FeedDocuments } from './reddit-feed-documents.js';
import { ALONE, type FeedPage, feedPage, joinedPage } from './feed-page.js';
import { isSingleForum, JoinedForums } from './joined-forums.js';
import { KeptComments, type RecentComments, recentComments } from './kept-comments.js';

/** The source in the progress of jobs and in metrics. */
export const FEEDS_SOURCE = 'reddit_feeds';

/** Posts that are found again by their ids. */
const MAX_KNOWN = 2_000;
/** Forums whose newest comments are kept for the further pages of their listing. */
const MAX_RECENT = 200;

/**
 * Reddit read from its Atom feeds, without an application. They hold no scores and counts, and no parents of comments:
 * all comments stand directly below their post.
 */
export class FeedsPlatform implements Platform {
  readonly source = FEEDS_SOURCE;
  readonly listings = ['new'] as const;
  readonly listingCap = LISTING_CAP;
  readonly countsGap = true;
  /** A post that is missing may only be too old for its feed. */
  readonly lookup = null;
  private readonly newest: JoinedForums;
  private readonly newestComments: JoinedForums;
  private readonly kept = new KeptComments();
  private readonly known = new LRUCache<string, PlatformPost>({ max: MAX_KNOWN });
  private readonly recent = new LRUCache<string, RecentComments>({ max: MAX_RECENT });

  constructor(
    private readonly documents: FeedDocuments,
    readonly archive: Archive | null,
    private readonly release: () => void,
  ) {
    const joined = (kind: 'new' | 'comments') =>
      new JoinedForums((forums, session) => {
        const name = forums.join('+');
        return documents.read(`/r/${name}/${kind}`, { kind: 'forum', name }, session);
      });
    this.newest = joined('new');
    this.newestComments = joined('comments');
  }

  async fetchListing(
    { target, since, withComments }: ListingRef,
    after: string | null,
    session: PlatformSession,
  ): Promise<ListingPage> {
    if (isOfComments(target))
      throw new PlatformError(
        'target_not_found',
        "Reddit's feeds do not list the posts on which an account commented. Send the account itself for its posts",
      );
    const { items: entries, ...page } = await this.pageOf(target, after, since, session);
    const recent = withComments ? await this.recentOf(target, after === null, session) : null;
    const items = entries.filter(({ id }) => id.startsWith('t3_'));
    const posts = items.flatMap(({ row }) => (row && mapPost(row)) ?? []);
    tellUnread(session, items.length - posts.length);
    const counted = posts.map((post) => ({
      ...post,
      numComments: this.kept.countOf(post, recent),
      unknownFields: UNKNOWN_FIELDS,
    }));
    for (const post of counted) this.known.set(post.id, post);
    return { ...page, posts: counted };
  }

  async *walkComments(post: TreePost, session: PlatformSession): AsyncGenerator<CommentSlice> {
    const { items, isCut } = this.kept.of(post.id) ?? (await this.readComments(post.id, session));
    const postAuthor = this.known.get(post.id)?.author ?? null;
    const context = { post, postAuthor, postCreatedUtc: null, depth: 0 };
    const comments = items
      .flatMap(({ row }) => (row && mapComment(row, context)) ?? [])
      .sort((a, b) => a.createdUtc.getTime() - b.createdUtc.getTime());
    yield* slicesOf(comments, items.length - comments.length + (isCut ? 1 : 0));
  }

  /** Feeds cannot be asked for posts: those that this process has read are known. */
  fetchPosts(ids: readonly string[]): Promise<PlatformPost[]> {
    return Promise.resolve(ids.flatMap((id) => this.known.get(id) ?? []));
  }

  close(): Promise<void> {
    this.newest.close();
    this.newestComments.close();
    this.archive?.close();
    this.release();
    return Promise.resolve();
  }

  private async pageOf(
    target: Target,
    after: string | null,
    since: Date | undefined,
    session: PlatformSession,
  ): Promise<FeedPage> {
    const subject = namedSubject(target);
    const name = encodeURIComponent(target.name);
    if (target.type === 'forum' && after === null && isSingleForum(target.name))
      return joinedPage(await this.newest.items(target.name, session), since);
    const path = target.type === 'user' ? `/user/${name}` : `/r/${name}/new`;
    const items = await this.documents.read(path, subject, session, after === ALONE ? null : after);
    return feedPage(items, after, since);
  }

  /** The newest comments of a forum, read with its first page; null for users, and where Reddit does not show them. */
  private async recentOf(
    { type, name }: Target,
    isFirst: boolean,
    session: PlatformSession,
  ): Promise<RecentComments | null> {
    if (type === 'user' || !isSingleForum(name)) return null;
    const key = name.toLowerCase();
    const kept = isFirst ? undefined : this.recent.get(key);
    if (kept !== undefined) return kept;
    try {
      const { items, all } = await this.newestComments.items(name, session);
      const recent = recentComments(items, all);
      this.recent.set(key, recent);
      return recent;
    } catch (error) {
      if (error instanceof PlatformError && error.code.startsWith('target_')) return null;
      throw error;
    }
  }

  private async readComments(postId: string, session: PlatformSession) {
    const entries = await this.documents.read(
      `/comments/${bareId(postId)}`,
      { kind: 'post', name: postId },
      session,
    );
    const items = entries.filter((entry) => entry.id.startsWith('t1_') && entry.postId === postId);
    return this.kept.keep(postId, items, entries.length >= FEED_DEPTH);
  }
}
