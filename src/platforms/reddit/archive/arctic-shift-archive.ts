import { isOfComments } from '../reddit-names.js';
import {
  type Archive,
  PlatformError,
  type PlatformPost,
  type PlatformSession,
  type Target,
} from '../../platform.js';
import { subjectOf } from '../listing-request.js';
import { commentId, mapPost } from '../mapper.js';
import { bareId } from '../wire.js';
import { distinctBy } from '../../../common/collections.js';
import { JsonClient } from '../../http/json-client.js';
import type { RetryPolicy } from '../../http/retry-policy.js';
import {
  type Attempt,
  faulty,
  type PlatformLog,
  retryDependencies,
  type RetryDependencies,
  type TimeOverrides,
  unreadable,
  withRetry,
} from '../../http/with-retry.js';
import { tellUnread } from '../../unread-posts.js';
import { describeSubject, REDDIT_RETRIES } from '../refusals.js';
import { Requestor, REQUESTOR_LIMITS, type RequestorLimits } from '../../http/requestor.js';
import { asDate, asObject, asText, unescaped, type WireObject } from '../../http/response-parsing.js';
import { beginningOf } from '../../../common/strings.js';

/** How to reach an archive. */
export interface ArchiveOptions {
  /** Base URL of `/api/posts/search`; may include a path. */
  baseUrl: string;
  userAgent: string;
  onLog?: PlatformLog;
  limits?: Partial<RequestorLimits>;
  dependencies?: TimeOverrides;
}

/** Page sizes, tried in this order each time the archive times out. */
const PAGE_SIZES = [100, 50, 25, 10] as const;
/** Maximum number of pages without a readable row that one call skips. */
const MAX_UNREADABLE_PAGES = 20;

/** Retry policy for requests to the archive: that of Reddit, with different remedies. */
const ARCHIVE_RETRIES: RetryPolicy = {
  rules: REDDIT_RETRIES.rules,
  source: "Reddit's archive (ARCHIVE_BASE_URL)",
  remedies: {
    rate_limited: 'Run fewer jobs with mode history at the same time',
    blocked: 'Check ARCHIVE_BASE_URL and PLATFORM_USER_AGENT',
    unauthorized: 'Check ARCHIVE_BASE_URL',
  },
};

/** More pages than the largest thread has. */
const MAX_COMMENT_PAGES = 2_000;

/** A page of rows in the archive's order, whether or not they can be read as posts or comments. */
interface RowPage {
  rows: WireObject[];
  /** Creation seconds of the oldest and the newest row; null when no row has a date. */
  oldest: number | null;
  newest: number | null;
  /** Whether the page has as many rows as the limit, so that there may be more. */
  full: boolean;
}

/** An interval in Unix seconds, both ends exclusive. */
interface Span {
  after: number | null;
  before: number | null;
  sort: 'asc' | 'desc';
}

/** A page of distinct posts. */
type PostPage = Pick<RowPage, 'oldest' | 'full'> & { posts: PlatformPost[] };

/**
 * An Arctic Shift compatible archive. It pages by whole seconds, so a page can end between posts of the same second. The
 * oldest second of a full page is therefore dropped and read completely with the next page.
 */
export class ArcticShiftArchive implements Archive {
  private readonly requestor: Requestor;
  private readonly dependencies: RetryDependencies;
  private readonly client: JsonClient;
  /** Index of the page size to try first: one step larger than the last that succeeded. */
  private firstPageSize = 0;

  constructor(options: ArchiveOptions) {
    this.requestor = new Requestor(options.userAgent, { ...REQUESTOR_LIMITS, ...options.limits });
    this.dependencies = retryDependencies(ARCHIVE_RETRIES, options.onLog, options.dependencies);
    this.client = new JsonClient(
      { source: 'archive', baseUrl: options.baseUrl, variable: 'ARCHIVE_BASE_URL' },
      this.requestor,
      null,
      this.dependencies,
    );
  }

  async fetchBefore(target: Target, before: Date | null, session: PlatformSession): Promise<PlatformPost[]> {
    // The archive finds posts by their authors, not by those who commented.
    if (isOfComments(target)) return [];
    let end = before === null ? null : Math.ceil(before.getTime() / 1_000);
    for (let pages = 0; pages < MAX_UNREADABLE_PAGES; pages++) {
      const page = await this.fetch(target, { after: null, before: end, sort: 'desc' }, session);
      const posts = before === null ? page.posts : page.posts.filter((post) => post.createdUtc < before);
      const { oldest } = page;
      if (oldest === null && !page.full) return [];
      if (oldest === null) break;
      // Rows may be missing from a page for other reasons than the archive's end, so only an empty page ends the walk.
      if (!page.full) {
        const rest = await this.fetchSecond(target, oldest, session);
        posts.push(...rest.filter((post) => before === null || post.createdUtc < before));
        if (posts.length > 0) return newestFirst(distinctBy(posts, ({ id }) => id));
        end = oldest;
        continue;
      }
      const whole = posts.filter((post) => secondOf(post) > oldest);
      if (whole.length > 0) return newestFirst(whole);
      const sameSecond = await this.fetchSecond(target, oldest, session);
      if (sameSecond.length > 0) return newestFirst(sameSecond);
      end = oldest;
    }
    throw new PlatformError(
      'bad_answer',
      `The archive's rows of ${describeSubject(subjectOf(target))} cannot be read`,
    );
  }

  close(): void {
    this.requestor.close();
  }

  /** Posts of a second that fills a whole page, read from both ends. The archive's paging cannot reach any others. */
  private async fetchSecond(
    target: Target,
    second: number,
    session: PlatformSession,
  ): Promise<PlatformPost[]> {
    const span = { after: second - 1, before: second + 1 };
    const down = await this.fetch(target, { ...span, sort: 'desc' }, session);
    const up = down.full ? await this.fetch(target, { ...span, sort: 'asc' }, session) : down;
    const both = distinctBy([...down.posts, ...up.posts], ({ id }) => id);
    return both.filter((post) => secondOf(post) === second);
  }

  /**
   * Comments of a post as the archive has them, oldest first, each once, page by page. Pages overlap by one second,
   * because a page boundary can fall within a second, and the walk ends at a page that brings nothing new.
   */
  async *fetchComments(postId: string, session: PlatformSession): AsyncGenerator<WireObject[]> {
    const known = new Set<string>();
    let after: number | null = null;
    for (let pages = 0; pages < MAX_COMMENT_PAGES; pages++) {
      const page: RowPage = await this.fetchRows(
        `the archive's comments of post ${postId}`,
        '/api/comments/search',
        {
          link_id: bareId(postId),
          sort: 'asc',
          ...(after === null ? {} : { after: String(after) }),
        },
        session,
      );
      const isNew = (row: WireObject): boolean => {
        const id = commentId(row);
        return id !== null && known.size < known.add(id).size;
      };
      const added = page.rows.filter(isNew);
      if (added.length > 0) yield added;
      if (page.newest === null || (added.length === 0 && !page.full)) break;
      // If a single second fills a page, continues after it.
      after = added.length > 0 ? page.newest - 1 : page.newest;
    }
  }

  /** Posts by id as the archive has them; unknown ids are skipped. Ids that a response lacks are requested again. */
  async fetchPosts(ids: readonly string[], session: PlatformSession): Promise<PlatformPost[]> {
    const posts = new Map<string, PlatformPost>();
    for (let missing = [...ids]; missing.length > 0;) {
      const params = { ids: missing.map(bareId).join(',') };
      const { rows } = await this.fetchRows('posts by id', '/api/posts/ids', params, session);
      for (const row of rows) {
        const post = mapPost(row);
        if (post !== null && !posts.has(post.id)) posts.set(post.id, post);
      }
      const still = missing.filter((id) => !posts.has(id));
      if (still.length === missing.length) break;
      missing = still;
    }
    return [...posts.values()];
  }

  private async fetch(target: Target, span: Span, session: PlatformSession): Promise<PostPage> {
    const params: Record<string, string> = {
      [target.type === 'user' ? 'author' : 'subreddit']: target.name,
      sort: span.sort,
    };
    if (span.after !== null) params.after = String(span.after);
    if (span.before !== null) params.before = String(span.before);
    const what = `the archive's posts of ${describeSubject(subjectOf(target))}`;
    const { rows, oldest, full } = await this.fetchRows(what, '/api/posts/search', params, session, true);
    const posts = rows.flatMap((row) => mapPost(row) ?? []);
    tellUnread(session, rows.length - posts.length);
    return { posts: distinctBy(posts, ({ id }) => id), oldest, full };
  }

  private fetchRows(
    what: string,
    path: string,
    params: Record<string, string>,
    session: PlatformSession,
    isUrgent = false,
  ): Promise<RowPage> {
    return this.inPages(
      what,
      (limit, isTooLarge) =>
        this.client.attempt(
          {
            what,
            path,
            params: path.endsWith('/search') ? { ...params, limit: String(limit) } : params,
            isUrgent,
            read: (json) => readRows(json, limit),
            refused: (status, body) => {
              if (status === TOO_LARGE) isTooLarge();
              return refusedByArchive(status, body);
            },
          },
          session,
        ),
      session,
    );
  }

  /** Repeats an attempt, with a smaller page each time `isTooLarge` was called. */
  private inPages<T>(
    what: string,
    attemptPage: (limit: number, isTooLarge: () => void) => Promise<Attempt<T>>,
    session: PlatformSession,
  ): Promise<T> {
    let size = this.firstPageSize;
    return withRetry(
      what,
      async () => {
        const attempt = await attemptPage(
          PAGE_SIZES[size]!,
          () => (size = Math.min(size + 1, PAGE_SIZES.length - 1)),
        );
        if (attempt.done) this.firstPageSize = Math.max(0, size - 1);
        return attempt;
      },
      session,
      this.dependencies,
    );
  }
}

/** Status of a timeout, which smaller pages may avoid, whatever its text says. */
const TOO_LARGE = 422;

function refusedByArchive(status: number, body: WireObject | null): Attempt<never> {
  const error = beginningOf(asText(body?.error) ?? `status ${status}`, 100);
  if (status === TOO_LARGE) return faulty('server', error);
  throw new PlatformError('bad_answer', `The archive refused the request (${error})`);
}

function readRows(json: unknown, limit: number): Attempt<RowPage> {
  const body = asObject(json);
  if (!Array.isArray(body?.data)) return unreadable(beginningOf(asText(body?.error) ?? 'no rows in it', 100));
  // The archive escapes its texts, as the dumps do.
  const rows = body.data.map((row) => unescaped(asObject(row))).filter((row) => row !== null);
  const seconds = rows
    .flatMap((row) => asDate(row.created_utc)?.getTime() ?? [])
    .map((ms) => Math.floor(ms / 1_000));
  const [oldest, newest] = seconds.length === 0 ? [null, null] : [Math.min(...seconds), Math.max(...seconds)];
  return { done: true, value: { rows, oldest, newest, full: body.data.length >= limit } };
}

function secondOf(post: PlatformPost): number {
  return Math.floor(post.createdUtc.getTime() / 1_000);
}

function newestFirst(posts: PlatformPost[]): PlatformPost[] {
  return posts.sort((a, b) => b.createdUtc.getTime() - a.createdUtc.getTime());
}
