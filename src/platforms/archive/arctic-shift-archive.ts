import {
  type Archive,
  PlatformError,
  type PlatformPost,
  type PlatformSession,
  type Target,
} from '../platform.js';
import { subjectOf } from '../reddit/listing-request.js';
import { commentId, mapPost } from '../reddit/mapper.js';
import { bareId } from '../reddit/wire.js';
import { JsonClient } from '../http/json-client.js';
import type { RetryPolicy } from '../http/retry-policy.js';
import {
  type Attempt,
  faulty,
  type PlatformLog,
  retryDependencies,
  type RetryDependencies,
  type TimeOverrides,
  unreadable,
  withRetry,
} from '../http/with-retry.js';
import { describeSubject, REDDIT_RETRIES } from '../reddit/refusals.js';
import { Requestor, REQUESTOR_LIMITS, type RequestorLimits } from '../http/requestor.js';
import { asDate, asObject, asText, type WireObject } from '../http/response-parsing.js';

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
      'archive',
      options.baseUrl,
      'ARCHIVE_BASE_URL',
      this.requestor,
      null,
      this.dependencies,
    );
  }

  async fetchBefore(target: Target, before: Date | null, session: PlatformSession): Promise<PlatformPost[]> {
    let end = before === null ? null : Math.ceil(before.getTime() / 1_000);
    for (let pages = 0; pages < MAX_UNREADABLE_PAGES; pages++) {
      const page = await this.fetch(target, { after: null, before: end, sort: 'desc' }, session);
      const posts = before === null ? page.posts : page.posts.filter((post) => post.createdUtc < before);
      const { oldest } = page;
      if (!page.full) return newestFirst(posts);
      if (oldest === null) break;
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
    const both = new Map([...down.posts, ...up.posts].map((post) => [post.id, post]));
    return [...both.values()].filter((post) => secondOf(post) === second);
  }

  /**
   * Comments of a post as the archive has them, oldest first, each once. Pages overlap by one second, because a page
   * boundary can fall within a second.
   */
  async fetchComments(postId: string, session: PlatformSession): Promise<WireObject[]> {
    const rows = new Map<string, WireObject>();
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
      const before = rows.size;
      for (const row of page.rows) {
        const id = commentId(row);
        if (id !== null && !rows.has(id)) rows.set(id, row);
      }
      if (!page.full || page.newest === null) break;
      // If a single second fills a page, continues after it.
      after = rows.size > before ? page.newest - 1 : page.newest;
    }
    return [...rows.values()];
  }

  /** Posts by id as the archive has them; unknown ids are skipped. */
  async fetchPosts(ids: readonly string[], session: PlatformSession): Promise<PlatformPost[]> {
    const params = { ids: ids.map(bareId).join(',') };
    const { rows } = await this.fetchRows('posts by id', '/api/posts/ids', params, session);
    return rows.flatMap((row) => mapPost(row) ?? []);
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
    const posts = new Map(rows.flatMap((row) => mapPost(row) ?? []).map((post) => [post.id, post]));
    return { posts: [...posts.values()], oldest, full };
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
      (limit) =>
        this.client.attempt(
          {
            what,
            path,
            params: path.endsWith('/search') ? { ...params, limit: String(limit) } : params,
            isUrgent,
            read: (json) => readRows(json, limit),
            refused: refusedByArchive,
          },
          session,
        ),
      session,
    );
  }

  /** Repeats an attempt with smaller pages while the archive times out. */
  private inPages<T>(
    what: string,
    attemptPage: (limit: number) => Promise<Attempt<T>>,
    session: PlatformSession,
  ): Promise<T> {
    let size = this.firstPageSize;
    return withRetry(
      what,
      async () => {
        const attempt = await attemptPage(PAGE_SIZES[size]!);
        if (attempt.done) this.firstPageSize = Math.max(0, size - 1);
        else if (/timeout|slow down/i.test(attempt.detail)) size = Math.min(size + 1, PAGE_SIZES.length - 1);
        return attempt;
      },
      session,
      this.dependencies,
    );
  }
}

/** Status 422 means a timeout, which smaller pages may avoid. */
function refusedByArchive(status: number, body: WireObject | null): Attempt<never> {
  const error = (asText(body?.error) ?? `status ${status}`).slice(0, 100);
  if (status === 422) return faulty('server', error);
  throw new PlatformError('bad_answer', `The archive refused the request (${error})`);
}

function readRows(json: unknown, limit: number): Attempt<RowPage> {
  const body = asObject(json);
  if (!Array.isArray(body?.data)) return unreadable(asText(body?.error)?.slice(0, 100) ?? 'no rows in it');
  const rows = body.data.map(asObject).filter((row) => row !== null);
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
