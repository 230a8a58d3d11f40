import {
  type Archive,
  PlatformError,
  type PlatformPost,
  type PlatformSession,
  type Target,
} from '../platform.js';
import { subjectOf } from './listing-request.js';
import { mapPost } from './mapper.js';
import { type Attempt, type PlatformLog, sleep, type RetryDependencies, withRetry } from './with-retry.js';
import { describeSubject } from './refusals.js';
import { Requestor, REQUESTOR_LIMITS, type RequestorLimits, TransportError } from './requestor.js';
import { classifyPlatformResponse } from './response-class.js';
import { asDate, asObject, asText } from './wire.js';

/** How to reach an archive. */
export interface ArchiveOptions {
  /** Base URL of `/api/posts/search`; may include a path. */
  baseUrl: string;
  userAgent: string;
  onLog?: PlatformLog;
  limits?: Partial<RequestorLimits>;
  dependencies?: Partial<Omit<RetryDependencies, 'log'>>;
}

/** Page sizes, tried in this order each time the archive times out. */
const PAGE_SIZES = [100, 50, 25, 10] as const;
/** Maximum number of pages without a readable row that one call skips. */
const MAX_UNREADABLE_PAGES = 20;

/** An interval in Unix seconds, both ends exclusive. */
interface Span {
  after: number | null;
  before: number | null;
  sort: 'asc' | 'desc';
}

interface ArchivePage {
  posts: PlatformPost[];
  /** Creation second of the oldest row, readable or not; null when no row has a date. */
  oldest: number | null;
  /** The page has as many rows as the limit, so there may be more. */
  full: boolean;
}

/**
 * An Arctic Shift compatible archive. It pages by whole seconds, so a page can end between posts of the same second. The
 * oldest second of a full page is therefore dropped and read completely with the next page.
 */
export class ArcticShiftArchive implements Archive {
  private readonly requestor: Requestor;
  private readonly dependencies: RetryDependencies;
  private readonly baseUrl: string;
  /** Index of the page size to try first: one step larger than the last that worked. */
  private firstPageSize = 0;

  constructor(options: ArchiveOptions) {
    this.baseUrl = options.baseUrl.replace(/\/+$/, '');
    this.requestor = new Requestor(options.userAgent, { ...REQUESTOR_LIMITS, ...options.limits });
    this.dependencies = {
      sleep,
      random: Math.random,
      now: Date.now,
      ...options.dependencies,
      log: options.onLog ?? (() => undefined),
    };
  }

  async fetchBefore(target: Target, before: Date | null, session: PlatformSession): Promise<PlatformPost[]> {
    let end = before === null ? null : Math.ceil(before.getTime() / 1_000);
    for (let pages = 0; pages < MAX_UNREADABLE_PAGES; pages++) {
      const page = await this.fetch(target, { after: null, before: end, sort: 'desc' }, session);
      const posts = before === null ? page.posts : page.posts.filter((post) => post.createdUtc < before);
      const { oldest } = page;
      if (oldest === null) return newestFirst(posts);
      if (!page.full) return newestFirst(posts);
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

  /** Posts of a second that fills a page, read from both ends; the archive's paging reaches no more. */
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

  private fetch(target: Target, span: Span, session: PlatformSession): Promise<ArchivePage> {
    let size = this.firstPageSize;
    const what = `the archive's posts of ${describeSubject(subjectOf(target))}`;
    return withRetry(
      what,
      async () => {
        const attempt = await this.attempt(target, span, PAGE_SIZES[size]!, session);
        if (attempt.done) this.firstPageSize = Math.max(0, size - 1);
        else if (/timeout|slow down/i.test(attempt.detail)) size = Math.min(size + 1, PAGE_SIZES.length - 1);
        return attempt;
      },
      session.signal,
      this.dependencies,
    );
  }

  private async attempt(
    target: Target,
    span: Span,
    limit: number,
    session: PlatformSession,
  ): Promise<Attempt<ArchivePage>> {
    const params = new URLSearchParams({
      [target.type === 'user' ? 'author' : 'subreddit']: target.name,
      limit: String(limit),
      sort: span.sort,
    });
    if (span.after !== null) params.set('after', String(span.after));
    if (span.before !== null) params.set('before', String(span.before));
    try {
      session.signal.throwIfAborted();
      session.onRequest();
      const response = await this.requestor.send(
        {
          method: 'GET',
          url: `${this.baseUrl}/api/posts/search?${params.toString()}`,
          body: null,
          authorization: null,
        },
        session.signal,
      );
      const outcome = classifyPlatformResponse(response, this.dependencies.now());
      switch (outcome.kind) {
        case 'content':
          return readPage(outcome.json, limit);
        case 'fault':
          return { done: false, ...outcome };
        case 'redirect':
          throw new PlatformError('bad_answer', 'ARCHIVE_BASE_URL answers with a redirect');
        case 'refusal': {
          const error = asText(outcome.body?.error) ?? `status ${outcome.status}`;
          if (outcome.status === 422)
            return { done: false, fault: 'server', detail: error.slice(0, 100), requestedWaitMs: null };
          throw new PlatformError('bad_answer', `The archive refused the request (${error.slice(0, 100)})`);
        }
      }
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      if (error.kind === 'too_large')
        throw new PlatformError('bad_answer', "The archive's answer is too large", { cause: error });
      return { done: false, fault: 'network', detail: error.message, requestedWaitMs: null };
    }
  }
}

function readPage(json: unknown, limit: number): Attempt<ArchivePage> {
  const body = asObject(json);
  const rows = body?.data;
  if (!Array.isArray(rows)) {
    const detail = asText(body?.error)?.slice(0, 100) ?? 'no rows in it';
    return { done: false, fault: 'unreadable', detail, requestedWaitMs: null };
  }
  const posts = new Map<string, PlatformPost>();
  let oldest: number | null = null;
  for (const value of rows) {
    const row = asObject(value);
    const created = asDate(row?.created_utc);
    if (created) oldest = Math.min(oldest ?? Infinity, Math.floor(created.getTime() / 1_000));
    const post = row && mapPost(row);
    if (post) posts.set(post.id, post);
  }
  return { done: true, value: { posts: [...posts.values()], oldest, full: rows.length >= limit } };
}

function secondOf(post: PlatformPost): number {
  return Math.floor(post.createdUtc.getTime() / 1_000);
}

function newestFirst(posts: PlatformPost[]): PlatformPost[] {
  return posts.sort((a, b) => b.createdUtc.getTime() - a.createdUtc.getTime());
}
