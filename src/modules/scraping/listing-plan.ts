import type { ListingSort, TimeWindow } from '../../platforms/platform.js';
import type { ScrapeMode, StopReason } from '../jobs/job.entity.js';

/** One listing of the target to be read from its start. */
export interface ListingStep {
  sort: ListingSort;
  window: TimeWindow | null;
}

/** Where a walk over a target's posts stands: a job's checkpoint, so plain JSON. */
export interface WalkPosition {
  /** Index into the plan; its length stands for the archive behind it. */
  step: number;
  /** Platform's mark in the listing of this step; null at its start. */
  after: string | null;
  /** Pages and posts read of this listing. */
  pages: number;
  items: number;
  /** Pages in a row that held nothing the job had not met. */
  idlePages: number;
  /** Creation of the oldest post of the first listing, ISO 8601: the archive goes on there. */
  oldest: string | null;
  /** The archive's place, ISO 8601. */
  before: string | null;
  /** Set when the walk is over. */
  stopReason: StopReason | null;
}

/** What a page held. */
export interface PageFacts {
  items: number;
  /** Posts that the job had not met before. */
  unseen: number;
  /** Posts of the page that were stored before the job began, when the mode asks for it. */
  known: number;
  /** Creation of the oldest post, ISO 8601; null for an empty page. */
  oldest: string | null;
  after: string | null;
  /** The mark was given in this listing before. */
  repeatsMark: boolean;
}

export interface WalkRules {
  mode: ScrapeMode;
  /** The job holds as many posts as it was asked for. */
  isFull: boolean;
  hasArchive: boolean;
}

/** Listings end near 1,000 posts, a few of which the platform leaves out. */
const CAP_FROM = 900;
/** More pages than any listing has; ends one that never does. */
const MAX_PAGES = 120;
const MAX_ARCHIVE_PAGES = 2_000;
/** The newest posts come once; pages of known ones only mean that the listing turns in a circle. */
const MAX_IDLE_PAGES = 5;

const WINDOWS: readonly TimeWindow[] = ['all', 'year', 'month', 'week', 'day', 'hour'];
const NEWEST: ListingStep = { sort: 'new', window: null };
const HISTORY: readonly ListingStep[] = [
  NEWEST,
  ...WINDOWS.map((window) => ({ sort: 'top' as const, window })),
  ...WINDOWS.map((window) => ({ sort: 'controversial' as const, window })),
  { sort: 'hot', window: null },
];

export function planListings(mode: ScrapeMode): readonly ListingStep[] {
  return mode === 'history' ? HISTORY : [NEWEST];
}

export const START: WalkPosition = {
  step: 0,
  after: null,
  pages: 0,
  items: 0,
  idlePages: 0,
  oldest: null,
  before: null,
  stopReason: null,
};

/** The position after a page of a listing. */
export function afterPage(position: WalkPosition, page: PageFacts, rules: WalkRules): WalkPosition {
  const next: WalkPosition = {
    ...position,
    after: page.after,
    pages: position.pages + 1,
    items: position.items + page.items,
    idlePages: page.unseen > 0 ? 0 : position.idlePages + 1,
    oldest: position.step === 0 ? earlier(position.oldest, page.oldest) : position.oldest,
  };
  if (rules.mode === 'monitor' && page.unseen > 0 && page.known === page.unseen)
    return stop(next, 'up_to_date');
  if (rules.isFull) return stop(next, 'limit');
  const turnsInCircle = page.repeatsMark || (position.step === 0 && next.idlePages >= MAX_IDLE_PAGES);
  if (page.after !== null && !turnsInCircle && next.pages < MAX_PAGES) return next;
  const capped = next.items >= CAP_FROM;
  // A first listing that ended before the cap has shown everything there is.
  if (rules.mode !== 'history' || (position.step === 0 && !capped))
    return stop(next, capped ? 'listing_cap' : 'end_of_listing');
  if (position.step + 1 < HISTORY.length || rules.hasArchive) return beginStep(next, position.step + 1);
  return stop(next, 'listing_cap');
}

/** The position after a page of the archive; `items` is 0 at its end. */
export function afterArchivePage(position: WalkPosition, page: PageFacts, isFull: boolean): WalkPosition {
  const next = { ...position, pages: position.pages + 1, before: page.oldest };
  if (isFull) return stop(next, 'limit');
  const wentOn = page.oldest !== null && (position.before === null || page.oldest < position.before);
  return wentOn && next.pages < MAX_ARCHIVE_PAGES ? next : stop(next, 'end_of_listing');
}

function beginStep(position: WalkPosition, step: number): WalkPosition {
  const before = step === HISTORY.length ? justAfter(position.oldest) : null;
  return { ...position, step, after: null, pages: 0, items: 0, idlePages: 0, before };
}

function stop(position: WalkPosition, stopReason: StopReason): WalkPosition {
  return { ...position, stopReason };
}

/** The archive is asked for what came before; the oldest post's own second may hold more. */
function justAfter(moment: string | null): string | null {
  return moment === null ? null : new Date(Date.parse(moment) + 1_000).toISOString();
}

function earlier(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}
