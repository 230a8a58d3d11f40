import { ItemFaults } from '../../platforms/item-faults.js';
import { type Platform, PlatformError, type PlatformPost, type Target } from '../../platforms/platform.js';
import type { ScrapeMode } from '../jobs/job.entity.js';
import type { ListingCheckpoint } from './listing-checkpoint.js';
import { type PageQuery, readPage, type ReadPage } from './listing-page.js';
import {
  afterArchivePage,
  afterListing,
  afterPage,
  beginArchive,
  type ListingRules,
  planListings,
} from './listing-plan.js';
import { hasSameComments, isBeforeGap, isMissing, type StoredPost } from './stored-post.js';
import { TimeOrder } from './time-order.js';

/** Posts whose texts are read together, where a listing lacks texts. */
const POSTS_TO_COMPLETE = 10;

/** Where posts come from, and which of them are already stored. */
export interface ListingSources {
  platform: ListingRules['platform'] &
    Pick<Platform, 'fetchListing' | 'fetchPosts' | 'complete' | 'isByActivity'>;
  /** The posts among these that the workspace has, by id. */
  findExisting(ids: readonly string[]): Promise<ReadonlyMap<string, StoredPost>>;
}

/** Target and start of a listing. */
export interface ListingQuery extends PageQuery {
  mode: ScrapeMode;
  checkpoint: ListingCheckpoint;
  /** Ids of posts that the job has already stored; they are skipped. */
  stored: Iterable<string>;
  /** Since when there may be a gap in the stored posts of the target, database time; null without a gap. */
  gapStart: Date | null;
}

/** New posts of a page, and where the listing continues after it. */
export interface ListedBatch {
  posts: PlatformPost[];
  /** When the reading of the first of them began, database time. */
  readAt: Date;
  /** Whether the posts are archived versions, which never replace stored ones. */
  isArchived: boolean;
  /** Ids of posts whose stored comments are current: neither their number nor the post's forum has changed. */
  unchangedComments: ReadonlySet<string>;
  nextCheckpoint: ListingCheckpoint;
  /** Why the rest of a listing was left out; null when it was read. */
  failure: string | null;
}

/** Listings of mode `history` that fail in a row before the job fails. The first one must be readable. */
const MAX_FAILED_LISTINGS = 3;

/**
 * Reads a target's posts page by page, following the plan of the mode. Yields one batch per page, even if it is empty,
 * until a checkpoint has a stop reason or the consumer stops. Prefetches the next page while the consumer works on the
 * current one, if the page is certain to be needed. Throws the platform's errors and the session's abort reason.
 */
export async function* listPosts(sources: ListingSources, query: ListingQuery): AsyncGenerator<ListedBatch> {
  const { platform } = sources;
  const plan = planListings(query.mode, platform);
  const listed = new Set(query.stored);
  let checkpoint = query.checkpoint;
  let cursors = new Set<string>();
  let ahead: Promise<ReadPage> | null = null;
  const faults = new ItemFaults(MAX_FAILED_LISTINGS);
  const resumedAt = query.clock.now();
  const order = new TimeOrder(
    checkpoint.waiting.length > 0 ? await platform.fetchPosts(checkpoint.waiting, query.session) : [],
    resumedAt,
  );
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
    let page: ReadPage;
    try {
      page = await (ahead ?? readPage(platform, query, step, checkpoint.after, 0));
      faults.succeeded();
    } catch (error) {
      query.session.signal.throwIfAborted();
      const batch =
        checkpoint.step === 0
          ? await hiddenPosts(error, sources, query, checkpoint)
          : faults.passesOver(error)
            ? leftOut(error, checkpoint, platform, query)
            : null;
      if (batch === null) throw error;
      for (const post of batch.posts) listed.add(post.id);
      yield batch;
      [ahead, cursors, checkpoint] = [null, new Set(), batch.nextCheckpoint];
      continue;
    }
    ahead = null;
    const batch = await batchOf(page, order, sources, query, checkpoint, listed, cursors);
    const room = query.room();
    for (const post of batch.posts) listed.add(post.id);
    if (page.after !== null) cursors.add(page.after);
    const next = batch.nextCheckpoint;
    if (next.step !== checkpoint.step) cursors = new Set();
    const nextStep = plan[next.step];
    if (next.stopReason === null && nextStep && batch.posts.length < room) {
      ahead = readPage(platform, query, nextStep, next.after, batch.posts.length);
      // A failure is thrown where the page is awaited.
      ahead.catch(() => undefined);
    }
    yield* completed(batch, checkpoint, sources, query, room);
    checkpoint = next;
  }
}

/**
 * The newest archived posts of a target whose listing is refused, for mode `history`; null without an archive, or when
 * it has none.
 */
async function hiddenPosts(
  error: unknown,
  sources: ListingSources,
  query: ListingQuery,
  checkpoint: ListingCheckpoint,
): Promise<ListedBatch | null> {
  const { platform } = sources;
  const isRefusal = error instanceof PlatformError && error.code.startsWith('target_');
  if (!isRefusal || query.mode !== 'history' || platform.archive === null || checkpoint.pages > 0)
    return null;
  try {
    const begin = beginArchive(checkpoint, { platform }, null);
    const batch = await readArchivePage(sources, query, begin, new Set(query.stored));
    return batch.posts.length > 0 ? { ...batch, failure: error.message } : null;
  } catch (archiveError) {
    if (archiveError instanceof PlatformError) return null;
    throw archiveError;
  }
}

function leftOut(
  error: unknown,
  checkpoint: ListingCheckpoint,
  platform: ListingSources['platform'],
  { clock }: PageQuery,
): ListedBatch {
  return {
    posts: [],
    readAt: clock.now(),
    isArchived: false,
    unchangedComments: new Set(),
    nextCheckpoint: afterListing(checkpoint, { platform }),
    failure: (error as Error).message,
  };
}

/**
 * A batch with whole posts. Where a listing lacks texts, they are read for some posts at a time; the checkpoint moves on
 * with the last of them. Stored posts that have not changed are left as they are.
 */
async function* completed(
  batch: ListedBatch,
  checkpoint: ListingCheckpoint,
  { platform }: ListingSources,
  { session, timings }: ListingQuery,
  room: number,
): AsyncGenerator<ListedBatch> {
  if (platform.complete === undefined) {
    yield batch;
    return;
  }
  const posts = batch.posts.filter(({ id }) => !batch.unchangedComments.has(id));
  const size = Math.max(1, Math.min(POSTS_TO_COMPLETE, room));
  for (let at = 0; at === 0 || at < posts.length; at += size) {
    const part = posts.slice(at, at + size);
    const isLast = at + size >= posts.length;
    yield {
      ...batch,
      posts: await timings.timed('listing', () => platform.complete!(part, session)),
      nextCheckpoint: isLast ? batch.nextCheckpoint : checkpoint,
    };
  }
}

async function batchOf(
  page: ReadPage,
  order: TimeOrder,
  sources: ListingSources,
  query: ListingQuery,
  checkpoint: ListingCheckpoint,
  listed: ReadonlySet<string>,
  cursors: ReadonlySet<string>,
): Promise<ListedBatch> {
  const repeatsCursor = page.after !== null && cursors.has(page.after);
  const { posts, readAt, oldest } =
    checkpoint.step === 0 && !isByActivity(sources.platform, query.target)
      ? order.take(page.posts, page.readAt, page.after === null || repeatsCursor)
      : { ...page, oldest: null };
  const unseen = posts.filter((post) => !listed.has(post.id));
  const existing =
    query.mode === 'monitor'
      ? await sources.findExisting(unseen.map((post) => post.id))
      : new Map<string, StoredPost>();
  const facts = {
    items: page.posts.length,
    unseen: unseen.length,
    alreadyStored: [...existing.values()].filter((post) => isBeforeGap(post, query.gapStart)).length,
    newest: oldest && posts[0]!.createdUtc.toISOString(),
    oldest: oldest && earlier(oldest, page.reach).toISOString(),
    after: page.after,
    isCut: page.isCut === true,
    repeatsCursor,
  };
  return {
    // A pass that closes a gap reads past posts that earlier passes stored; its limit applies to the missing ones only.
    posts:
      query.gapStart === null
        ? unseen
        : unseen.filter((post) => isMissing(post, existing.get(post.id), query.needsComments)),
    readAt,
    isArchived: false,
    unchangedComments: new Set(
      unseen.filter((post) => hasSameComments(post, existing.get(post.id))).map(({ id }) => id),
    ),
    nextCheckpoint: {
      ...afterPage(checkpoint, facts, { mode: query.mode, platform: sources.platform, target: query.target }),
      waiting: order.waiting,
    },
    failure: null,
  };
}

/** Leaves out the files of stored posts: the archived version can list files that were deleted with the post. */
async function readArchivePage(
  sources: ListingSources,
  { target, session, timings, clock }: ListingQuery,
  checkpoint: ListingCheckpoint,
  listed: ReadonlySet<string>,
): Promise<ListedBatch> {
  const before = checkpoint.before === null ? null : new Date(checkpoint.before);
  const readAt = clock.now();
  const posts = await timings.timed('listing', () =>
    sources.platform.archive!.fetchBefore(target, before, session),
  );
  const unseen = posts.filter((post) => !listed.has(post.id));
  const existing = await sources.findExisting(unseen.map((post) => post.id));
  return {
    posts: unseen.map((post) => (existing.has(post.id) ? { ...post, media: [] } : post)),
    readAt,
    isArchived: true,
    unchangedComments: new Set(),
    nextCheckpoint: afterArchivePage(checkpoint, { oldest: oldestOf(posts) }),
    failure: null,
  };
}

function isByActivity({ isByActivity: rule }: ListingSources['platform'], target: Target): boolean {
  return typeof rule === 'function' ? rule(target) : rule === true;
}

const earlier = (a: Date, b: Date | undefined): Date => (b !== undefined && b < a ? b : a);

function oldestOf(posts: readonly PlatformPost[]): string | null {
  const times = posts.map((post) => post.createdUtc.getTime());
  return times.length === 0 ? null : new Date(Math.min(...times)).toISOString();
}
