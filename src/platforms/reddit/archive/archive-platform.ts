import { isOfComments } from '../reddit-names.js';
import type { WireObject } from '../../http/response-parsing.js';
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
} from '../../platform.js';
import { slicesOf } from '../../comment-slices.js';
import { commentId, mapComment, parentOf } from '../mapper.js';
import type { ArcticShiftArchive } from './arctic-shift-archive.js';

/**
 * Reddit read only from its archive, without credentials: posts by time, and their comments. Scores and counts date
 * from the archive's last look at a post. Content that the archive lacks does not exist for this platform.
 */
export class ArchivePlatform implements Platform {
  readonly source = 'archive';
  readonly listings = ['archive'] as const;
  readonly listingCap = null;
  /** This platform's listing already is the archive. */
  readonly archive = null;
  /** The archive keeps posts and comments as it first saw them, so it cannot report later deletions. */
  readonly lookup = null;

  constructor(
    private readonly reader: Pick<
      ArcticShiftArchive,
      'fetchBefore' | 'fetchComments' | 'fetchPosts' | 'close'
    >,
  ) {}

  async fetchListing(
    { target }: ListingRef,
    after: string | null,
    session: PlatformSession,
  ): Promise<ListingPage> {
    if (isOfComments(target))
      throw new PlatformError(
        'target_not_found',
        `The archive does not list the posts on which an account commented. Send the account itself for its posts`,
      );
    const before = after === null ? null : new Date(after);
    const posts = await this.reader.fetchBefore(target, before, session);
    return { posts, after: posts.at(-1)?.createdUtc.toISOString() ?? null };
  }

  async *walkComments(post: TreePost, session: PlatformSession): AsyncGenerator<CommentSlice> {
    const rows: WireObject[] = [];
    let failure: Error | null = null;
    try {
      for await (const page of this.reader.fetchComments(post.id, session)) rows.push(...page);
    } catch (error) {
      session.signal.throwIfAborted();
      failure = error as Error;
    }
    // Posts that were read before a failure are delivered first.
    const comments = treeOf(rows, post);
    yield* slicesOf(comments, rows.length - comments.length);
    if (failure !== null) throw failure;
  }

  fetchPosts(ids: readonly string[], session: PlatformSession): Promise<PlatformPost[]> {
    return ids.length === 0 ? Promise.resolve([]) : this.reader.fetchPosts(ids, session);
  }

  close(): Promise<void> {
    this.reader.close();
    return Promise.resolve();
  }
}

/**
 * Comments with their depth, parents before their replies. A comment whose parent the archive lacks becomes top-level.
 */
function treeOf(rows: readonly WireObject[], post: TreePost): PlatformComment[] {
  const known = new Set(rows.flatMap((row) => commentId(row) ?? []));
  const replies = new Map<string, WireObject[]>();
  const parent = (row: WireObject): string => {
    const id = parentOf(row);
    return id !== null && id !== commentId(row) && known.has(id) ? id : post.id;
  };
  for (const row of rows) {
    const siblings = replies.get(parent(row));
    if (siblings) siblings.push(row);
    else replies.set(parent(row), [row]);
  }
  const context = { post, postAuthor: null, postCreatedUtc: null };
  const comments: PlatformComment[] = [];
  let level = replies.get(post.id) ?? [];
  for (let depth = 0; level.length > 0; depth++) {
    comments.push(...level.flatMap((row) => mapComment(row, { ...context, depth }) ?? []));
    level = level.flatMap((row) => replies.get(commentId(row) ?? '') ?? []);
  }
  return comments;
}
