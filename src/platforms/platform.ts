import type { ContentStream } from './content-stream.js';
import type { UnknownField } from './unknown-fields.js';

/**
 * The types of targets. This file is the interface between the service and a source platform; protocol details (retries,
 * tokens, paging) stay in the implementations.
 */
export const TARGET_TYPES = ['forum', 'user'] as const;
export type TargetType = (typeof TARGET_TYPES)[number];

/** What a post mainly shows. */
export const POST_TYPES = ['link', 'self', 'image', 'video'] as const;
export type PostType = (typeof POST_TYPES)[number];

/** A forum or a user of a platform, by its bare name (`technology`, not `r/technology`; `top`, not `hn:top`). */
export interface Target {
  type: TargetType;
  name: string;
}

/** One downloadable file of a post. */
export interface PlatformMedia {
  kind: 'image' | 'video' | 'preview';
  url: string;
  /** A separate sound track of a video. */
  audioUrl: string | null;
  /** Further names under which the platform may keep the sound track, to be tried in order. */
  otherAudioUrls?: readonly string[];
  /** The platform's own copy of an image, for when the file is gone. */
  fallbackUrl?: string;
}

/** A post as the platform shows it now. Texts are plain (no HTML entities); no field is undefined. */
export interface PlatformPost {
  /** Unique over all sources, with the post prefix of its source. */
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
  /** Best address of each media file of the post, in the platform's order. */
  mediaUrls: string[];
  media: PlatformMedia[];
  /** BCP 47 tags of the languages that the writer states; absent when the platform does not say. */
  languages?: readonly string[];
  /** Fields that the platform does not tell, by their names in the interface; absent: none. Known values of theirs stay. */
  unknownFields?: readonly UnknownField[];
}

/** The fields of a post that walking its comment tree needs. */
export type TreePost = Pick<PlatformPost, 'id' | 'forum' | 'permalink'> &
  Partial<Pick<PlatformPost, 'numComments'>>;

/** A comment as the platform shows it now. */
export interface PlatformComment {
  /** Unique over all sources, with the comment prefix of its source. */
  id: string;
  postId: string;
  /** Forum of the post. */
  forum: string;
  postPermalink: string;
  /** Id of the post or comment that this comment replies to. */
  parentId: string;
  author: string;
  body: string;
  score: number;
  createdUtc: Date;
  /** 0 for a top-level comment. */
  depth: number;
  isSubmitter: boolean;
  /** As {@link PlatformPost.languages}. */
  languages?: readonly string[];
}

/** One ordered view of a target's posts. */
export interface ListingRef {
  target: Target;
  /** One of the names that the platform gives its listings. */
  name: string;
  /** Number of posts still needed; a page may have fewer or more. */
  wanted: number;
  /** Of a pass that only needs what has changed since then, a source that can tell gives nothing older. */
  since?: Date;
  /** Whether the comments of its posts are read, too. */
  withComments?: boolean;
}

/** One page of a listing, in the order the platform sent it, each post once. */
export interface ListingPage {
  posts: PlatformPost[];
  /** Opaque cursor of the next page; null at the end of the listing. */
  after: string | null;
  /** Whether the platform ends the listing here although the target has older posts. */
  isCut?: boolean;
  /** Since when the listing is complete with this page, where that is further back than its oldest post. */
  reach?: Date;
  /** When the source gave the page, in epoch milliseconds, where that was before now because it is still current. */
  givenAt?: number;
}

/** Some comments of a tree. Over all slices of one tree, parents come before their replies. */
export interface CommentSlice {
  comments: PlatformComment[];
  /** Number of comments so far that the platform listed but did not deliver. */
  missing: number;
}

/** Why a request waits. Read while it waits; its properties may change during the wait. */
export interface RequestWait {
  reason: 'budget' | 'retry';
  /** When the wait is expected to end; null when that is not known. */
  readonly until: Date | null;
  /** The cause of the wait, as a sentence for users. */
  readonly cause: string;
}

/** A request that failed and is sent again. */
export interface RequestRetry {
  /** The request, e.g. `forum "technology"`. */
  what: string;
  /** Why it failed, e.g. `status 503`. */
  cause: string;
  delayMs: number;
}

/** The context of one scrape: how its requests are scheduled, cancelled and counted. */
export interface PlatformSession {
  /** Aborts requests in flight and waiting requests at once. */
  signal: AbortSignal;
  /** Workspaces take turns when requests wait for the budget. */
  workspaceId: string;
  /**
   * `high`, for small jobs and monitor passes, is served before `normal` within a workspace's fair share. `low` is
   * served while half of the budget is unused and no other request waits, and does not count as a turn of its
   * workspace.
   */
  priority: 'high' | 'normal' | 'low';
  /** Whether a request that fails is not sent again. */
  isBrief?: boolean;
  /** Called once for every request that was sent, retries included. */
  onRequest(): void;
  /** Called once for every request, with the milliseconds that it waited for the request budget. */
  onBudgetWait?(milliseconds: number): void;
  /** Called when a request begins to wait; the returned function must be called when the wait ends. */
  onWait?(wait: RequestWait): () => void;
  /** Called before the wait for each retry of a request. */
  onRetry?(retry: RequestRetry): void;
  /** Called for posts that the platform listed and that could not be read, with the reason as a sentence for users. */
  onUnread?(count: number, reason: string): void;
  /** Called once for every request that succeeded. */
  onSuccess?(): void;
}

/** Replaces a title, an author or a text that is gone. */
export const DELETED = '[deleted]';

/** The upvote ratio of a post that came without one; the middle value ranks it neither best nor worst. */
export const UNKNOWN_RATIO = 0.5;

/**
 * Why a platform no longer shows content as it was: its author deleted it, a moderator removed it, or its author's
 * account is gone while the text stays.
 */
export const GONE_REASONS = ['deleted', 'removed', 'account_deleted'] as const;
export type GoneReason = (typeof GONE_REASONS)[number];

/** What the platform shows now in place of a post. */
export interface GonePost extends Pick<
  PlatformPost,
  'id' | 'title' | 'author' | 'selftext' | 'url' | 'hasMedia' | 'mediaUrls'
> {
  reason: GoneReason;
}

/** What the platform shows now in place of a comment. */
export interface GoneComment extends Pick<PlatformComment, 'id' | 'author' | 'body'> {
  reason: GoneReason;
}

/** Looks up stored content of a source again. Methods throw as those of {@link Platform}. */
export interface ContentLookup {
  /** Prefixes of the ids of the source's posts and comments. */
  readonly prefixes: { post: string; comment: string };
  /** Whether one call of `findGoneComments` covers comments of any threads, or of one thread. */
  readonly commentsBy: 'id' | 'thread';
  /** Returns the posts that are gone. At most 100 ids. */
  findGonePosts(ids: readonly string[], session: PlatformSession): Promise<GonePost[]>;
  /** Returns the comments that are gone. At most 100 ids, or any number from the thread of `postId`. */
  findGoneComments(ids: readonly string[], postId: string, session: PlatformSession): Promise<GoneComment[]>;
}

/**
 * A source platform with its own ids, listing names, limits and refusals. Every method throws {@link PlatformError}, or
 * the reason of the session's signal when it aborts.
 */
export interface Platform {
  /** The name of the source in the progress of jobs and in metrics. */
  readonly source: string;
  /**
   * Names of the listings that together reach as far back as possible. The first holds the newest posts. Their order
   * never changes.
   */
  readonly listings: readonly [string, ...string[]];
  /** Whether a target's first listing begins with the posts of latest activity instead of the newest ones; absent: never. */
  readonly isByActivity?: boolean | ((target: Target) => boolean);
  /**
   * How long after its creation time a post can appear in its place in a listing, because it came from another server;
   * milliseconds, absent: none does.
   */
  readonly lateMs?: number;
  /**
   * A listing that ends with this many posts or more was cut short by the platform; null when listings are never cut
   * short.
   */
  readonly listingCap: number | null;
  /** Whether listings end so early that a monitor pass counts the posts that it did not reach. Absent: no. */
  readonly countsGap?: boolean;
  /** Reads posts that are older than the listings reach; null if there is no archive. */
  readonly archive: Archive | null;
  /** One page of a listing, from its start (`after` is null) or from another page's `after`. */
  fetchListing(listing: ListingRef, after: string | null, session: PlatformSession): Promise<ListingPage>;
  /**
   * Completes posts of a listing that shows them without their texts; those that are gone are left out.
   * Undefined when listings show whole posts.
   */
  complete?(posts: readonly PlatformPost[], session: PlatformSession): Promise<PlatformPost[]>;
  /** The whole comment tree of a post in slices of bounded size, every comment once. */
  walkComments(post: TreePost, session: PlatformSession): AsyncIterable<CommentSlice>;
  /** Posts by id, as the platform shows them now, without those that are gone. At most 100 ids. */
  fetchPosts(ids: readonly string[], session: PlatformSession): Promise<PlatformPost[]>;
  /** Comments by id with the posts above them, without those that are gone or whose post is. At most 100 ids. Only for listening. */
  fetchComments?(
    ids: readonly string[],
    session: PlatformSession,
  ): Promise<{ posts: PlatformPost[]; comments: PlatformComment[] }>;
  /** Looks up stored content again; null when the source cannot tell whether content is gone. */
  readonly lookup: ContentLookup | null;
  /**
   * The target at an address that no definition knows, in its normal form, found by few requests to the address's site;
   * null when that is not a site of this platform, or the address names none of its targets.
   */
  recognise?(url: URL, session: PlatformSession): Promise<Target | null>;
  /** All that is written on the platform, for targets without a listing; undefined where every target has one. */
  readonly stream?: ContentStream;
  /** All that is written on a site, or at an address, to which queries can listen. */
  streamAt?(place: string): ContentStream;
  /** Releases sockets. */
  close(): Promise<void>;
}

/** An archive of old posts that is searched by time. */
export interface Archive {
  /** Posts created before `before` (null: the newest), newest first. An empty page is the end. */
  fetchBefore(target: Target, before: Date | null, session: PlatformSession): Promise<PlatformPost[]>;
  /** Releases sockets. */
  close(): void;
}

/** Stable reasons for a permanent failure of a request; the error's message becomes the job's `error_message`. */
export type PlatformErrorCode =
  | 'target_not_found'
  | 'target_private'
  | 'target_banned'
  | 'target_quarantined'
  | 'target_gated'
  | 'target_forbidden'
  | 'credentials_missing'
  | 'credentials_refused'
  | 'blocked'
  | 'rate_limited'
  | 'unavailable'
  | 'bad_answer';

/** A request to a platform that failed permanently, after all retries. */
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
