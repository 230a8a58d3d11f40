import type { Platform, Target } from '../../platforms/platform.js';
import type { ScrapeMode } from '../jobs/job.entity.js';
import type { StopReason } from '../jobs/stop-reasons.js';
import type { ListingCheckpoint } from './listing-checkpoint.js';

/** Contents of a page. */
export interface PageFacts {
  items: number;
  /** Posts that are new to the job. */
  unseen: number;
  /** How many of these were stored before the job began; counted in mode `monitor` only. */
  alreadyStored: number;
  /** Creation times of the newest and the oldest post that are in the order of time, ISO 8601; null for an empty page. */
  newest: string | null;
  oldest: string | null;
  after: string | null;
  /** Whether the platform cut the listing short at this page. */
  isCut: boolean;
  /** Whether the cursor `after` was already returned in this listing. */
  repeatsCursor: boolean;
}

/** The settings that decide, apart from the page, whether another page is read. */
export interface ListingRules {
  mode: ScrapeMode;
  platform: Pick<Platform, 'listings' | 'listingCap' | 'archive' | 'lateMs'>;
  /** Users can hide some or all of their posts from their listing; an archive still has them. */
  target: Pick<Target, 'type'>;
}

/** Enough for the most posts of a job in pages of ten; ends a listing that would not end otherwise. */
const MAX_PAGES = 1_000;
const MAX_ARCHIVE_PAGES = 2_000;
/**
 * The first listing repeats no posts, so this many consecutive pages of known posts mean that it is looping. Pages of what
 * is no post (reposts, hidden ones) do not count.
 */
const MAX_IDLE_PAGES = 5;
/** Pages of known posts that are searched for posts that appeared late. */
const MAX_STORED_PAGES = 5;

/** The names of the listings that a mode reads, in order. */
export function planListings(mode: ScrapeMode, { listings }: Pick<Platform, 'listings'>): readonly string[] {
  return mode === 'history' ? listings : [listings[0]];
}

/**
 * The checkpoint after a page of a listing, assuming that the job had room for all its posts; {@link stopAtLimit}
 * covers the case where it had not.
 */
export function afterPage(
  checkpoint: ListingCheckpoint,
  page: PageFacts,
  rules: ListingRules,
): ListingCheckpoint {
  const next = {
    ...checkpoint,
    after: page.after,
    pages: checkpoint.pages + 1,
    items: checkpoint.items + page.items,
    idlePages: page.unseen > 0 ? 0 : checkpoint.idlePages + (page.items > 0 ? 1 : 0),
    newest: checkpoint.newest ?? page.newest,
    oldest: checkpoint.step === 0 ? earlier(checkpoint.oldest, page.oldest) : checkpoint.oldest,
  };
  if (rules.mode === 'monitor' && page.unseen > 0) {
    next.storedPages = page.alreadyStored === page.unseen ? checkpoint.storedPages + 1 : 0;
    if (next.storedPages > 0 && !mayHoldLatePosts(next, rules)) return stop(next, 'up_to_date');
  }
  const repeatsItself = page.repeatsCursor || (checkpoint.step === 0 && next.idlePages >= MAX_IDLE_PAGES);
  if (page.after !== null && !repeatsItself && next.pages < MAX_PAGES) return next;
  const { listingCap, archive } = rules.platform;
  const capped = page.isCut || (listingCap !== null && next.items >= listingCap);
  if (rules.mode !== 'history') return stop(next, capped ? 'listing_cap' : 'end_of_listing');
  if (checkpoint.step > 0 || capped) return afterListing(next, rules);
  // A first listing that ended before the cap has shown all posts of a forum, unless it showed none.
  const mayHidePosts = next.items === 0 || rules.target.type === 'user';
  return mayHidePosts && archive !== null ? beginArchive(next, rules, null) : stop(next, 'end_of_listing');
}

/** The checkpoint after a listing of mode `history` that has ended, or that could not be read. */
export function afterListing(
  checkpoint: ListingCheckpoint,
  { platform }: Pick<ListingRules, 'platform'>,
): ListingCheckpoint {
  const step = checkpoint.step + 1;
  if (step < platform.listings.length) return beginStep(checkpoint, step, null);
  return platform.archive === null
    ? stop(checkpoint, 'listing_cap')
    : beginArchive(checkpoint, { platform }, justAfter(checkpoint.oldest));
}

/** The checkpoint at which the archive is read from posts before a time on; from its newest post on if it is null. */
export function beginArchive(
  checkpoint: ListingCheckpoint,
  { platform }: Pick<ListingRules, 'platform'>,
  before: string | null,
): ListingCheckpoint {
  return beginStep(checkpoint, platform.listings.length, before);
}

/** The checkpoint after a page of the archive; `oldest` is null when the archive has ended. */
export function afterArchivePage(
  checkpoint: ListingCheckpoint,
  page: Pick<PageFacts, 'oldest'>,
): ListingCheckpoint {
  const next = { ...checkpoint, pages: checkpoint.pages + 1, before: page.oldest };
  const wentOn = page.oldest !== null && (checkpoint.before === null || page.oldest < checkpoint.before);
  return wentOn && next.pages < MAX_ARCHIVE_PAGES ? next : stop(next, 'end_of_listing');
}

/** The checkpoint, instead of `next`, of a job that has reached its post limit. */
export function stopAtLimit(next: ListingCheckpoint): ListingCheckpoint {
  return stop(next, next.storedPages > 0 || next.stopReason === 'up_to_date' ? 'up_to_date' : 'limit');
}

/** Whether a post that appeared late can stand behind known ones: until the listing has reached back far enough. */
function mayHoldLatePosts({ newest, oldest, storedPages }: ListingCheckpoint, rules: ListingRules): boolean {
  const { lateMs = 0 } = rules.platform;
  if (lateMs === 0 || newest === null || oldest === null) return false;
  return storedPages < MAX_STORED_PAGES && Date.parse(newest) - Date.parse(oldest) < lateMs;
}

function beginStep(checkpoint: ListingCheckpoint, step: number, before: string | null): ListingCheckpoint {
  return { ...checkpoint, step, after: null, pages: 0, items: 0, idlePages: 0, before };
}

function stop(checkpoint: ListingCheckpoint, stopReason: StopReason): ListingCheckpoint {
  return { ...checkpoint, stopReason };
}

/**
 * The archive returns posts created before a given time. One second is added because it may contain further posts of
 * the oldest post's second.
 */
function justAfter(moment: string | null): string | null {
  return moment === null ? null : new Date(Date.parse(moment) + 1_000).toISOString();
}

function earlier(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}
