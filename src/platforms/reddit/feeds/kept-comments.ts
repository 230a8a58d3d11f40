import { LRUCache } from 'lru-cache';
import { groupBy } from '../../../common/collections.js';
import { asText } from '../../http/response-parsing.js';
import type { PlatformPost } from '../../platform.js';
import type { FeedItem } from './reddit-feed-items.js';
import { SMALLEST_FULL } from './feed-page.js';

/** Characters of comments that a process keeps. */
const MAX_CHARACTERS = 16 * 1_024 * 1_024;
/** After this time comments are read again although nothing shows that there are new ones. */
const LIFETIME_MS = 24 * 60 * 60_000;

/** Comments of a post. */
interface Kept {
  items: readonly FeedItem[];
  /** Whether they are from the feed of the post itself. */
  isRead: boolean;
  /** Whether that feed was full, so that there may be older ones. */
  isCut: boolean;
}

/** The newest comments of a forum, as its feed of comments has them. */
export interface RecentComments {
  byPost: ReadonlyMap<string | null, readonly FeedItem[]>;
  /** All comments after this time are among them; epoch milliseconds. */
  since: number;
}

/** Sorts a feed of comments; `all` are the entries of the document that holds them, which may be of other forums, too. */
export function recentComments(items: readonly FeedItem[], all: readonly FeedItem[]): RecentComments {
  return {
    byPost: groupBy(items, ({ postId }) => postId),
    since: all.length < SMALLEST_FULL ? -Infinity : Math.min(...all.map(({ time }) => time)),
  };
}

/**
 * The comments of posts, as far as they are known without a request. Reddit's feeds do not count comments, so that these
 * decide whether a post's comments have to be read.
 */
export class KeptComments {
  private readonly kept = new LRUCache<string, Kept>({
    maxSize: MAX_CHARACTERS,
    ttl: LIFETIME_MS,
    sizeCalculation: ({ items }) =>
      items.reduce((sum, { row }) => sum + (asText(row?.body)?.length ?? 0) + 500, 500),
  });

  /**
   * The number of a post's comments: exact when the feed of the forum's comments reaches back to the post, else that of
   * the last reading while the feed shows no further one, else one more than it shows.
   */
  countOf(
    { id, createdUtc }: Pick<PlatformPost, 'id' | 'createdUtc'>,
    recent: RecentComments | null,
  ): number {
    const own = recent?.byPost.get(id) ?? [];
    if (recent !== null && createdUtc.getTime() > recent.since) {
      this.kept.set(id, { items: own, isRead: false, isCut: false });
      return own.length;
    }
    const known = this.kept.get(id);
    const isKnown = new Set(known?.items.map((item) => item.id));
    if (known?.isRead === true && own.every((item) => isKnown.has(item.id))) return known.items.length;
    this.kept.delete(id);
    return own.length + 1;
  }

  /** The comments of a post; null when they have to be read. */
  of(id: string): Omit<Kept, 'isRead'> | null {
    return this.kept.get(id) ?? null;
  }

  /** Keeps the comments that the feed of a post has. */
  keep(id: string, items: readonly FeedItem[], isCut: boolean): Omit<Kept, 'isRead'> {
    this.kept.set(id, { items, isRead: true, isCut });
    return { items, isCut };
  }
}
