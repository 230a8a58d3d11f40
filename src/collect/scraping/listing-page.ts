import type { Clock } from '../../common/clock.js';
import type { ListingPage, Platform, PlatformSession, Target } from '../../platforms/platform.js';
import type { StepTimings } from './step-timings.js';

/** How far the clocks of the database and of a source are apart at most. */
const CLOCKS_APART_MS = 10 * 60_000;

/** The request for every page of a listing. */
export interface PageQuery {
  target: Target;
  /** How many more posts the job may store. */
  room: () => number;
  /** Whether comments are read; a stored post without its comments then counts as missing when a gap is closed. */
  needsComments: boolean;
  /** When the last complete pass of mode `monitor` began, database time; null without one. */
  since: Date | null;
  session: PlatformSession;
  timings: StepTimings;
  /** Database time. */
  clock: Clock;
}

/** A page, and when its reading began, or that of the document that is still current. */
export interface ReadPage extends ListingPage {
  readAt: Date;
}

/** Reads a page of the listing of this name; `listed` posts are still to be stored. */
export async function readPage(
  platform: Pick<Platform, 'fetchListing'>,
  { target, room, since, needsComments, session, timings, clock }: PageQuery,
  name: string,
  after: string | null,
  listed: number,
): Promise<ReadPage> {
  const listing = {
    target,
    name,
    wanted: Math.max(1, room() - listed),
    withComments: needsComments,
    ...(since && { since: new Date(since.getTime() - CLOCKS_APART_MS) }),
  };
  const began = clock.now();
  const page = await timings.timed('listing', () => platform.fetchListing(listing, after, session));
  const given = page.givenAt ?? Infinity;
  return { ...page, readAt: given < began.getTime() ? new Date(given) : began };
}
