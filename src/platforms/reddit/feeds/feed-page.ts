import type { ListingPage } from '../../platform.js';
import type { FeedItem } from './reddit-feed-items.js';
import type { ForumItems } from './joined-forums.js';

/** A feed with fewer entries has no older ones: Reddit's page without `limit` has as many. */
export const SMALLEST_FULL = 25;
/** The cursor of a forum's first page when a feed of several forums did not show it. */
export const ALONE = 'alone';

/** Entries of a listing, and where it continues. */
export type FeedPage = Omit<ListingPage, 'posts'> & { items: readonly FeedItem[] };

/**
 * The page of a feed after the entry `after` (null or {@link ALONE}: the first). A feed that holds this entry has not heeded
 * it. A pass that needs only what is newer than `since` ends where a feed reaches back to it.
 */
export function feedPage(
  items: readonly FeedItem[],
  after: string | null,
  since: Date | undefined,
): FeedPage {
  const place = items.findIndex(({ id }) => id === after);
  const rest = items.slice(place + 1);
  if (items.length < SMALLEST_FULL) return { items: rest, after: null };
  return (
    completePage(rest, items, since) ??
    (place >= 0 ? { items: rest, after: null, isCut: true } : { items: rest, after: rest.at(-1)!.id })
  );
}

/** The first page of a forum from a feed that may hold others. A forum without an entry in it is then read by itself. */
export function joinedPage({ items, all, isJoined }: ForumItems, since: Date | undefined): FeedPage {
  if (!isJoined) return feedPage(items, null, since);
  if (all.length < SMALLEST_FULL) return { items, after: null };
  return completePage(items, all, since) ?? { items, after: items.at(-1)?.id ?? ALONE };
}

/** The page that ends a pass; null while the entries of its feed do not reach back to `since`. */
function completePage(
  items: readonly FeedItem[],
  all: readonly FeedItem[],
  since: Date | undefined,
): FeedPage | null {
  const isReached = since !== undefined && Math.min(...all.map(({ time }) => time)) < since.getTime();
  return isReached ? { items, after: null, reach: since } : null;
}
