/**
 * What a source platform is to this service. Only files under `platforms/` know how one is spoken to;
 * everything else sees these shapes. No retry, token or paging detail leaks through them.
 */

export const TARGET_TYPES = ['forum', 'user'] as const;
export type TargetType = (typeof TARGET_TYPES)[number];

export const POST_TYPES = ['link', 'self', 'image', 'video'] as const;
export type PostType = (typeof POST_TYPES)[number];

/** A forum or a user of the platform, by the name people call it (`technology`, not `r/technology`). */
export interface Target {
  type: TargetType;
  name: string;
}

/** One downloadable file of a post. `audioUrl` is a separate sound track of a video. */
export interface PlatformMedia {
  kind: 'image' | 'video' | 'preview';
  url: string;
  audioUrl: string | null;
}

/** A post as the platform shows it now. Texts are plain (no HTML entities); nothing is undefined. */
export interface PlatformPost {
  /** Full name, `t3_…`. */
  id: string;
  forum: string;
  title: string;
  author: string;
  createdUtc: Date;
  /** Path on the platform, beginning with `/`. */
  permalink: string;
  url: string | null;
  score: number;
  /** Fraction in [0, 1]. */
  upvoteRatio: number;
  numComments: number;
  selftext: string;
  postType: PostType;
  isNsfw: boolean;
  isSpoiler: boolean;
  flair: string;
  totalAwards: number;
  hasMedia: boolean;
  /** Best address of every medium of the post, in order, as the platform gives it. */
  mediaUrls: string[];
  media: PlatformMedia[];
}

/** A comment as the platform shows it now. */
export interface PlatformComment {
  /** Full name, `t1_…`. */
  id: string;
  /** Full name of its post, `t3_…`. */
  postId: string;
  postPermalink: string;
  /** Full name of the post or comment it answers. */
  parentId: string;
  author: string;
  body: string;
  score: number;
  createdUtc: Date;
  /** 0 for a top-level comment. */
  depth: number;
  isSubmitter: boolean;
}

export const LISTING_SORTS = ['new', 'hot', 'top', 'controversial'] as const;
export type ListingSort = (typeof LISTING_SORTS)[number];

export const TIME_WINDOWS = ['hour', 'day', 'week', 'month', 'year', 'all'] as const;
export type TimeWindow = (typeof TIME_WINDOWS)[number];

/** One ordered view of a target's posts. `window` applies to `top` and `controversial` only. */
export interface ListingRef {
  target: Target;
  sort: ListingSort;
  window: TimeWindow | null;
}

/** One page of a listing, in the order the platform sent it, each post once. */
export interface ListingPage {
  posts: PlatformPost[];
  /** Where the next page begins; null at the end of the listing. Opaque. */
  after: string | null;
}

/** A slice of a comment tree. Parents come before their children, over all slices of one tree. */
export interface CommentSlice {
  comments: PlatformComment[];
  /** Ids the platform listed but refused or never delivered, so far in this tree. */
  missing: number;
}

/** What a scrape tells the platform client about itself, and hears back. */
export interface PlatformSession {
  /** Aborts requests in flight and waits at once. */
  signal: AbortSignal;
  /** The request budget is shared out fairly between workspaces. */
  workspaceId: string;
  /** `high` is served before `normal`: small jobs and monitor passes. */
  priority: 'high' | 'normal';
  /** Called once for every request that was sent, retries included. */
  onRequest(): void;
  /** Called once for every request with the milliseconds that it waited for the request budget. */
  onBudgetWait?(milliseconds: number): void;
}

export interface Platform {
  /** One page of a listing, from its start (`after` null) or from where another page ended. */
  fetchListing(listing: ListingRef, after: string | null, session: PlatformSession): Promise<ListingPage>;
  /** The whole comment tree of a post in slices of bounded size, every comment once. */
  walkComments(
    post: Pick<PlatformPost, 'id' | 'permalink'>,
    session: PlatformSession,
  ): AsyncIterable<CommentSlice>;
  /** Posts by full name, as the platform shows them now; those that are gone are left out. At most 100 ids. */
  fetchPosts(ids: readonly string[], session: PlatformSession): Promise<PlatformPost[]>;
  /** Releases sockets. */
  close(): Promise<void>;
}

/** An archive of old posts, asked for windows of time. */
export interface Archive {
  /** Posts created before `before` (null: the newest), newest first. An empty page is the end. */
  fetchBefore(target: Target, before: Date | null, session: PlatformSession): Promise<PlatformPost[]>;
  /** Releases sockets. */
  close(): void;
}

/** Why a platform refused, in terms an operator can act on. `code` is stable; `message` is what a failed job says. */
export const PLATFORM_ERROR_CODES = [
  'target_not_found',
  'target_private',
  'target_banned',
  'target_quarantined',
  'target_gated',
  'target_forbidden',
  'credentials_refused',
  'blocked',
  'rate_limited',
  'unavailable',
  'bad_answer',
] as const;
export type PlatformErrorCode = (typeof PLATFORM_ERROR_CODES)[number];

export class PlatformError extends Error {
  constructor(
    readonly code: PlatformErrorCode,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = 'PlatformError';
  }
}

export const PLATFORM = Symbol('PLATFORM');
export const ARCHIVE = Symbol('ARCHIVE');
