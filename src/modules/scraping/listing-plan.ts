import type { Platform } from '../../platforms/platform.js';
import type { ScrapeMode, StopReason } from '../jobs/job.entity.js';
import type { ListingCheckpoint } from './listing-checkpoint.js';

/** What a page contained. */
export interface PageFacts {
  items: number;
  /** Posts that are new to the job. */
  unseen: number;
  /** How many of these were stored before the job began; counted in mode `monitor` only. */
  alreadyStored: number;
  /** Creation time of the oldest post, ISO 8601; null for an empty page. */
  oldest: string | null;
  after: string | null;
  /** Whether the cursor `after` was already returned in this listing. */
  repeatsCursor: boolean;
}

/** What decides, apart from the page, whether another page is read. */
export interface ListingRules {
  mode: ScrapeMode;
  platform: Pick<Platform, 'listings' | 'listingCap' | 'archive'>;
}

/** More pages than any listing has; ends a listing that would not end otherwise. */
const MAX_PAGES = 120;
const MAX_ARCHIVE_PAGES = 2_000;
/** The first listing repeats no posts, so this many consecutive pages without a new one mean that it is looping. */
const MAX_IDLE_PAGES = 5;

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
  const next: ListingCheckpoint = {
    ...checkpoint,
    after: page.after,
    pages: checkpoint.pages + 1,
    items: checkpoint.items + page.items,
    idlePages: page.unseen > 0 ? 0 : checkpoint.idlePages + 1,
    oldest: checkpoint.step === 0 ? earlier(checkpoint.oldest, page.oldest) : checkpoint.oldest,
  };
  if (rules.mode === 'monitor' && page.unseen > 0 && page.alreadyStored === page.unseen)
    return stop(next, 'up_to_date');
  const repeatsItself = page.repeatsCursor || (checkpoint.step === 0 && next.idlePages >= MAX_IDLE_PAGES);
  if (page.after !== null && !repeatsItself && next.pages < MAX_PAGES) return next;
  const { listings, listingCap, archive } = rules.platform;
  const capped = listingCap !== null && next.items >= listingCap;
  // A first listing that ended before the cap has shown all posts.
  if (rules.mode !== 'history' || (checkpoint.step === 0 && !capped))
    return stop(next, capped ? 'listing_cap' : 'end_of_listing');
  const step = checkpoint.step + 1;
  if (step < listings.length) return beginStep(next, step, null);
  if (archive !== null) return beginStep(next, step, justAfter(next.oldest));
  return stop(next, 'listing_cap');
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
  return next.stopReason === 'up_to_date' ? next : stop(next, 'limit');
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
