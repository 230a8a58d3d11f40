import type { Archive, ListingPage, Platform, PlatformPost } from '../../platforms/platform.js';
import type { WantedMedia } from '../media/media.repository.js';
import type { ExistingPost, PostsRepository } from '../posts/posts.repository.js';
import type { BatchWriter } from './batch-writer.js';
import type { BatchEnrichment } from './batch-enrichment.js';
import {
  afterArchivePage,
  afterPage,
  type ListingStep,
  type PageFacts,
  planListings,
  type WalkPosition,
} from './listing-plan.js';
import type { ScrapeRun } from './scrape-run.js';
import type { QueuedTree } from './tree-walk.js';

/** A gallery has at most twenty; more is not a post's doing. */
const MAX_FILES_PER_POST = 50;
/** A job's start is told by the database's clock, what it stored by the worker's; they may differ by less. */
const CLOCKS_DIFFER_MS = 60_000;

export interface ListingWalkParts {
  platform: Platform;
  archive: Archive | null;
  posts: PostsRepository;
  writer: BatchWriter;
  enrichment: BatchEnrichment;
}

/** Reads a target's posts page by page as the plan of the job's mode says, and stores every page with its checkpoint. */
export class ListingWalk {
  private position: WalkPosition;
  private readonly marks = new Set<string>();
  /** The next page, asked for while this one is analysed and stored. */
  private ahead: Promise<ListingPage> | null = null;

  constructor(
    private readonly run: ScrapeRun,
    private readonly parts: ListingWalkParts,
    /** Posts that the job stored already. */
    private readonly stored: Set<string>,
    /** Since when jobs left a gap in what is stored of the target; null when there is none. */
    private readonly gapSince: Date | null,
    private readonly onTree: (tree: QueuedTree) => void,
    private readonly onMedia: (media: WantedMedia) => void,
  ) {
    this.position = run.startPosition;
  }

  async walk(): Promise<void> {
    const plan = planListings(this.run.job.mode);
    while (this.position.stopReason === null) {
      this.run.signal.throwIfAborted();
      const step = plan[this.position.step];
      if (step) await this.readListingPage(plan, step);
      else await this.readArchivePage(this.parts.archive!);
    }
  }

  private async readListingPage(plan: readonly ListingStep[], step: ListingStep): Promise<void> {
    const { job } = this.run;
    const page = await (this.ahead ?? this.fetchPage(step, this.position.after));
    this.ahead = null;
    const unseen = page.posts.filter((post) => !this.stored.has(post.id));
    const known =
      job.mode === 'monitor'
        ? await this.parts.posts.findExisting(
            job.workspaceId,
            unseen.map((post) => post.id),
          )
        : new Map<string, ExistingPost>();
    const wanted = this.gapSince === null ? unseen : unseen.filter((post) => this.isLacking(post, known));
    const repeatsMark = page.after !== null && this.marks.has(page.after);
    if (page.after !== null) this.marks.add(page.after);
    const facts: PageFacts = {
      items: page.posts.length,
      unseen: unseen.length,
      known: [...known.values()].filter((post) => this.isBeforeGap(post)).length,
      oldest: oldestOf(page.posts),
      after: page.after,
      repeatsMark,
    };
    const before = this.position.step;
    const advance = (isFull: boolean): WalkPosition =>
      afterPage(this.position, facts, { mode: job.mode, isFull, hasArchive: this.parts.archive !== null });
    if (this.stored.size + wanted.length < job.postLimit) this.readAhead(plan, advance(false));
    await this.store(
      wanted,
      advance,
      // A known post's tree is read again only when its talk went on.
      (post) => {
        const before = known.get(post.id);
        return !before || before.hasMissingComments || before.numComments !== post.numComments;
      },
    );
    if (this.position.step !== before) this.marks.clear();
  }

  private fetchPage(step: ListingStep, after: string | null): Promise<ListingPage> {
    const { job, session } = this.run;
    const target = { type: job.targetType, name: job.target };
    return this.run.timings.timed('listing', () =>
      this.parts.platform.fetchListing({ target, ...step }, after, session),
    );
  }

  /** Asks for the page at a position that the walk is sure to come to, so that no request is made in vain. */
  private readAhead(plan: readonly ListingStep[], next: WalkPosition): void {
    const step = plan[next.step];
    if (next.stopReason !== null || !step) return;
    this.ahead = this.fetchPage(step, next.after);
    // Its failure is heard when the walk gets there, unless something else ends the run before.
    this.ahead.catch(() => undefined);
  }

  /** A pass that closes a gap crosses what earlier ones stored on its way down: its limit is for what is not there. */
  private isLacking(post: PlatformPost, known: ReadonlyMap<string, ExistingPost>): boolean {
    const before = known.get(post.id);
    return !before || (this.run.job.scrapeComments && before.hasMissingComments && post.numComments > 0);
  }

  private isBeforeGap(post: ExistingPost): boolean {
    return this.gapSince === null || post.scrapedAt.getTime() < this.gapSince.getTime() - CLOCKS_DIFFER_MS;
  }

  private async readArchivePage(archive: Archive): Promise<void> {
    const { job, session } = this.run;
    const target = { type: job.targetType, name: job.target };
    const before = this.position.before === null ? null : new Date(this.position.before);
    const posts = await this.run.timings.timed('listing', () => archive.fetchBefore(target, before, session));
    const unseen = posts.filter((post) => !this.stored.has(post.id));
    const facts: PageFacts = {
      items: posts.length,
      unseen: unseen.length,
      known: 0,
      oldest: oldestOf(posts),
      after: null,
      repeatsMark: false,
    };
    await this.store(
      unseen,
      (isFull) => afterArchivePage(this.position, facts, isFull),
      () => true,
    );
  }

  /** Stores what the job has room for; where the walk goes on depends on whether that filled it. */
  private async store(
    wanted: PlatformPost[],
    advance: (isFull: boolean) => WalkPosition,
    wantsTree: (post: PlatformPost) => boolean,
  ): Promise<void> {
    const { job } = this.run;
    const { timings } = this.run;
    const kept = await timings.timed('enrich', () => this.parts.enrichment.posts(wanted));
    const taken = kept.slice(0, job.postLimit - this.stored.size);
    const position = advance(this.stored.size + taken.length >= job.postLimit);
    const trees = taken
      .map(({ post }) => post)
      .filter((post) => job.scrapeComments && post.numComments > 0 && wantsTree(post));
    const media = job.downloadMedia ? taken.flatMap(({ post }) => mediaOf(post)) : [];
    const batch = {
      posts: taken.map(({ row }) => row),
      firstPosition: this.stored.size,
      treesWanted: new Set(trees.map((post) => post.id)),
      media,
      position,
    };
    const stored = timings.timed('write', () => this.parts.writer.writePosts(this.run, batch));
    for (const { id, permalink, numComments } of trees) this.onTree({ id, permalink, numComments, stored });
    await stored;
    this.position = position;
    for (const { post } of taken) this.stored.add(post.id);
    for (const medium of media) this.onMedia(medium);
  }
}

function mediaOf(post: PlatformPost): WantedMedia[] {
  return post.media
    .slice(0, MAX_FILES_PER_POST)
    .map(({ url, audioUrl }) => ({ postId: post.id, url, audioUrl }));
}

function oldestOf(posts: readonly PlatformPost[]): string | null {
  const times = posts.map((post) => post.createdUtc.getTime());
  return times.length === 0 ? null : new Date(Math.min(...times)).toISOString();
}
