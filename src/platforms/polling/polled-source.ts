import type { PlatformPost, PlatformSession } from '../platform.js';
import type { StreamText } from '../stream-batch.js';

/** A page of a list of all that is new, newest first. */
export interface PolledPage {
  texts: readonly StreamText[];
  /** Ids that the page shows as deleted. */
  gone?: readonly string[];
  /** When its last item was written, in epoch milliseconds; null for a page without items. */
  oldest: number | null;
  /** The next page; null at the end. */
  next: string | null;
  /** Whether the source ends the list here although there are older items. */
  isCut?: boolean;
  /** When the source gave the page, in epoch milliseconds, where that was before now because it is still current. */
  givenAt?: number;
}

/** A post as a list shows it. */
export function textOfPost(post: PlatformPost): StreamText {
  const { id, createdUtc, forum, title, selftext: text, author, flair, languages = [] } = post;
  const known = { id, isComment: false, at: createdUtc, forum, title, text, author, createdUtc };
  return { ...known, flair, languages, post };
}

/**
 * A page of a list, from its start (`after` is null) or from another page's `next`. Items older than `since` are not
 * needed. Throws `PlatformError`, or the reason of the session's signal.
 */
export type PolledList = (after: string | null, since: Date, session: PlatformSession) => Promise<PolledPage>;

/** What a source without a stream says of itself, so that it is followed by repeated reading. */
export interface PolledSource {
  lists: readonly PolledList[];
  /** Time from one pass to the next, in milliseconds. */
  everyMs: number;
  /** How long after it was written an item may appear in its place. */
  lateMs: number;
  /** Pages of a list that one pass reads at most. */
  maxPages: number;
  /** Whether new items may have any time: then the first page is read, and what it did not show before is new. */
  isUnordered?: true;
  /** Those of some ids that are deleted. Undefined where the source cannot tell. */
  findGone?: (ids: readonly string[], session: PlatformSession) => Promise<string[]>;
}
