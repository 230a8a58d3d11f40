import type { PlatformPost } from '../../platforms/platform.js';

/** Posts that are kept back at most; a listing with more of them is not in the order of time. */
export const MAX_KEPT_BACK = 100;

/** A page in the order of time. */
export interface OrderedPage {
  /** Newest first. */
  posts: PlatformPost[];
  /** Creation time of the oldest post that is not kept back; null for an empty page. */
  oldest: Date | null;
}

/**
 * Puts a listing of the newest posts into the order of time. Platforms begin such listings with pinned posts, however
 * old they are: a post that is older than a later one of its page is kept back until the listing has reached its time.
 */
export class TimeOrder {
  private keptBack = new Map<string, PlatformPost>();

  constructor(keptBack: readonly PlatformPost[]) {
    this.keep(keptBack);
  }

  /** Ids of the posts that are kept back. */
  get waiting(): string[] {
    return [...this.keptBack.keys()];
  }

  /** The posts of a page and those whose time it has reached; of the last page all that were kept back. */
  take(page: readonly PlatformPost[], isLast: boolean): OrderedPage {
    const inOrder: PlatformPost[] = [];
    const early: PlatformPost[] = [];
    let newestAfter = -Infinity;
    for (const post of [...page].reverse()) {
      const time = post.createdUtc.getTime();
      (time < newestAfter ? early : inOrder).push(post);
      newestAfter = Math.max(newestAfter, time);
    }
    this.keep(early);
    for (const { id } of inOrder) this.keptBack.delete(id);
    const oldest = inOrder[0]?.createdUtc ?? null;
    const isDue = (post: PlatformPost): boolean => isLast || (oldest !== null && post.createdUtc >= oldest);
    const tooMany = this.keptBack.size > MAX_KEPT_BACK;
    const due = [...this.keptBack.values()].filter((post) => tooMany || isDue(post));
    for (const { id } of due) this.keptBack.delete(id);
    return { posts: newestFirst([...inOrder.reverse(), ...due]), oldest };
  }

  private keep(posts: readonly PlatformPost[]): void {
    for (const post of posts) this.keptBack.set(post.id, post);
  }
}

function newestFirst(posts: PlatformPost[]): PlatformPost[] {
  return posts.sort((a, b) => b.createdUtc.getTime() - a.createdUtc.getTime());
}
