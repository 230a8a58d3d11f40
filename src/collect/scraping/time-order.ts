import type { PlatformPost } from '../../platforms/platform.js';

/** Posts that are kept back at most; a listing with more of them is not in the order of time. */
export const MAX_KEPT_BACK = 100;

/** A page in the order of time. */
export interface OrderedPage {
  /** Newest first. */
  posts: PlatformPost[];
  /** When the reading of the first of them began. */
  readAt: Date;
  /** Creation time of the oldest post that is not kept back; null for an empty page. */
  oldest: Date | null;
}

interface KeptBack {
  post: PlatformPost;
  readAt: Date;
}

/**
 * Puts a listing of the newest posts into the order of time. Platforms begin such listings with pinned posts, however
 * old they are: a post that is older than a later one of its page is kept back until the listing has reached its time.
 */
export class TimeOrder {
  private keptBack = new Map<string, KeptBack>();

  /** Both parts take the time at which the reading of the posts began. */
  constructor(keptBack: readonly PlatformPost[], readAt: Date) {
    this.keep(keptBack, readAt);
  }

  /** Ids of the posts that are kept back. */
  get waiting(): string[] {
    return [...this.keptBack.keys()];
  }

  /** The posts of a page and those whose time it has reached; of the last page all that were kept back. */
  take(page: readonly PlatformPost[], readAt: Date, isLast: boolean): OrderedPage {
    const inOrder: PlatformPost[] = [];
    const early: PlatformPost[] = [];
    let newestAfter = -Infinity;
    for (const post of [...page].reverse()) {
      const time = post.createdUtc.getTime();
      (time < newestAfter ? early : inOrder).push(post);
      newestAfter = Math.max(newestAfter, time);
    }
    this.keep(early, readAt);
    for (const { id } of inOrder) this.keptBack.delete(id);
    const oldest = inOrder[0]?.createdUtc ?? null;
    const isDue = (post: PlatformPost): boolean => isLast || (oldest !== null && post.createdUtc >= oldest);
    const tooMany = this.keptBack.size > MAX_KEPT_BACK;
    const due = [...this.keptBack.values()].filter(({ post }) => tooMany || isDue(post));
    for (const { post } of due) this.keptBack.delete(post.id);
    const posts = newestFirst([...inOrder.reverse(), ...due.map(({ post }) => post)]);
    return { posts, readAt: earliest([readAt, ...due.map((kept) => kept.readAt)]), oldest };
  }

  private keep(posts: readonly PlatformPost[], readAt: Date): void {
    for (const post of posts) this.keptBack.set(post.id, { post, readAt });
  }
}

const earliest = (times: readonly Date[]): Date => new Date(Math.min(...times.map(Number)));

function newestFirst(posts: PlatformPost[]): PlatformPost[] {
  return posts.sort((a, b) => b.createdUtc.getTime() - a.createdUtc.getTime());
}
