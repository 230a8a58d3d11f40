import type {
  ListingPage,
  Platform,
  PlatformPost,
  PlatformSession,
  Target,
} from '../../platforms/platform.js';
import type { ScrapeMode } from '../jobs/job.entity.js';
import type { ExistingPost } from '../posts/posts.repository.js';
import type { ListingCheckpoint } from './listing-checkpoint.js';
import { afterArchivePage, afterPage, planListings } from './listing-plan.js';
import type { StepTimings } from './step-timings.js';

/** A stored post, as far as the listing depends on it. */
export interface StoredPost extends ExistingPost {
  /** Whether the platform counted comments of the post and none is stored. */
  hasMissingComments: boolean;
}

/** Where posts come from, and what is known of them. */
export interface ListingSources {
  platform: Pick<Platform, 'fetchListing' | 'listings' | 'listingCap' | 'archive'>;
  /** Those of the posts that the workspace has, by id. */
  findExisting(ids: readonly string[]): Promise<ReadonlyMap<string, StoredPost>>;
}

/** What to list, and from where on. */
export interface ListingQuery {
  target: Target;
  mode: ScrapeMode;
  checkpoint: ListingCheckpoint;
  /** Posts that the job has stored; they are not listed again. */
  stored: Iterable<string>;
  /** Posts that the job stores at most, `stored` included. */
  limit: number;
  /** Whether a stored post without its comments counts as missing when a gap is closed. */
  needsComments: boolean;
  /** Since when jobs left a gap in what is stored of the target, database time; null without one. */
  gapStart: Date | null;
  session: PlatformSession;
  timings: StepTimings;
}

/** New posts of a page, and where the listing goes on behind it. */
export interface ListedBatch {
  posts: PlatformPost[];
  /** Whether the posts are older versions of an archive, which replace none that is stored. */
  isArchived: boolean;
  /** Ids of posts whose comments are stored and have changed neither in number nor in forum. */
  unchangedComments: ReadonlySet<string>;
  nextCheckpoint: ListingCheckpoint;
}

/**
 * Reads a target's posts page by page as the plan of the mode says. Yields one batch a page, an empty one too, until a
 * checkpoint has a stop reason or the consumer stops. While the consumer works on a page, the next one is already fetched if
 * it is certain to be needed. Throws what the platform throws, or the session's abort reason.
 */
export async function* listPosts(sources: ListingSources, query: ListingQuery): AsyncGenerator<ListedBatch> {
  const { platform } = sources;
  const plan = planListings(query.mode, platform);
  const listed = new Set(query.stored);
  let checkpoint = query.checkpoint;
  let cursors = new Set<string>();
  let ahead: Promise<ListingPage> | null = null;
  while (checkpoint.stopReason === null) {
    query.session.signal.throwIfAborted();
    const step = plan[checkpoint.step];
    if (step === undefined) {
      const batch = await readArchivePage(sources, query, checkpoint, listed);
      for (const post of batch.posts) listed.add(post.id);
      yield batch;
      checkpoint = batch.nextCheckpoint;
      continue;
    }
    const page: ListingPage = await (ahead ??
      fetchPage(platform, query, step, checkpoint.after, listed.size));
    ahead = null;
    const batch = await batchOf(page, sources, query, checkpoint, listed, cursors);
    for (const post of batch.posts) listed.add(post.id);
    if (page.after !== null) cursors.add(page.after);
    const next = batch.nextCheckpoint;
    if (next.step !== checkpoint.step) cursors = new Set();
    const nextStep = plan[next.step];
    if (next.stopReason === null && nextStep && listed.size < query.limit) {
      ahead = fetchPage(platform, query, nextStep, next.after, listed.size);
      // Its failure is thrown where the page is awaited.
      ahead.catch(() => undefined);
    }
    yield batch;
    checkpoint = next;
  }
}

async function batchOf(
  page: ListingPage,
  sources: ListingSources,
  query: ListingQuery,
  checkpoint: ListingCheckpoint,
  listed: ReadonlySet<string>,
  cursors: ReadonlySet<string>,
): Promise<ListedBatch> {
  const unseen = page.posts.filter((post) => !listed.has(post.id));
  const existing =
    query.mode === 'monitor'
      ? await sources.findExisting(unseen.map((post) => post.id))
      : new Map<string, StoredPost>();
  const facts = {
    items: page.posts.length,
    unseen: unseen.length,
    alreadyStored: [...existing.values()].filter((post) => isBeforeGap(post, query.gapStart)).length,
    oldest: oldestOf(page.posts),
    after: page.after,
    repeatsCursor: page.after !== null && cursors.has(page.after),
  };
  return {
    // A pass that closes a gap crosses what earlier passes stored: its limit is for what is missing.
    posts:
      query.gapStart === null
        ? unseen
        : unseen.filter((post) => isMissing(post, existing.get(post.id), query.needsComments)),
    isArchived: false,
    unchangedComments: new Set(
      unseen.filter((post) => hasSameComments(post, existing.get(post.id))).map(({ id }) => id),
    ),
    nextCheckpoint: afterPage(checkpoint, facts, { mode: query.mode, platform: sources.platform }),
  };
}

function fetchPage(
  platform: ListingSources['platform'],
  { target, limit, session, timings }: ListingQuery,
  name: string,
  after: string | null,
  listed: number,
): Promise<ListingPage> {
  const listing = { target, name, wanted: Math.max(1, limit - listed) };
  return timings.timed('listing', () => platform.fetchListing(listing, after, session));
}

/** A stored post comes without files: the archive's version can name some that were deleted with the post. */
async function readArchivePage(
  sources: ListingSources,
  { target, session, timings }: ListingQuery,
  checkpoint: ListingCheckpoint,
  listed: ReadonlySet<string>,
): Promise<ListedBatch> {
  const before = checkpoint.before === null ? null : new Date(checkpoint.before);
  const posts = await timings.timed('listing', () =>
    sources.platform.archive!.fetchBefore(target, before, session),
  );
  const unseen = posts.filter((post) => !listed.has(post.id));
  const existing = await sources.findExisting(unseen.map((post) => post.id));
  return {
    posts: unseen.map((post) => (existing.has(post.id) ? { ...post, media: [] } : post)),
    isArchived: true,
    unchangedComments: new Set(),
    nextCheckpoint: afterArchivePage(checkpoint, { oldest: oldestOf(posts) }),
  };
}

function isMissing(post: PlatformPost, existing: StoredPost | undefined, needsComments: boolean): boolean {
  return !existing || (needsComments && existing.hasMissingComments && post.numComments > 0);
}

/** Comments of a post that has another forum now are read again, because they are found by the post's. */
function hasSameComments(post: PlatformPost, existing: StoredPost | undefined): boolean {
  return (
    existing !== undefined &&
    !existing.hasMissingComments &&
    existing.numComments === post.numComments &&
    existing.forum === post.forum
  );
}

/** Both times are the database's. */
function isBeforeGap(existing: ExistingPost, gapStart: Date | null): boolean {
  return gapStart === null || existing.scrapedAt < gapStart;
}

function oldestOf(posts: readonly PlatformPost[]): string | null {
  const times = posts.map((post) => post.createdUtc.getTime());
  return times.length === 0 ? null : new Date(Math.min(...times)).toISOString();
}
