import {
  type Archive,
  PlatformError,
  type PlatformPost,
  type PlatformSession,
  type Target,
} from '../platform.js';
import { subjectOf } from './listing-walker.js';
import { mapPost } from './mapper.js';
import { type Attempt, persist, type PlatformLog, sleep, type Surroundings } from './persistence.js';
import { describeSubject } from './refusals.js';
import { Requestor, REQUESTOR_LIMITS, type RequestorLimits, TransportFault } from './requestor.js';
import { judge } from './verdict.js';
import { asDate, asObject, asText } from './wire.js';

export interface ArchiveOptions {
  /** Where `/api/posts/search` lies; may end in a path. */
  baseUrl: string;
  userAgent: string;
  onLog?: PlatformLog;
  limits?: Partial<RequestorLimits>;
  surroundings?: Partial<Omit<Surroundings, 'log'>>;
}

/** What is asked for at once, smaller each time the archive could not answer in time. */
const PAGE_SIZES = [100, 50, 25, 10] as const;
/** Pages of unreadable rows that are passed over in one call. */
const MAX_UNREADABLE_PAGES = 20;

/** A span of whole seconds since 1970, both ends outside. */
interface Span {
  after: number | null;
  before: number | null;
  sort: 'asc' | 'desc';
}

interface ArchivePage {
  posts: PlatformPost[];
  /** Second of the oldest row, readable or not; null when no row has a date. */
  oldest: number | null;
  /** Fewer rows than this many mean that nothing was cut off. */
  full: boolean;
}

/**
 * An Arctic Shift compatible archive. It pages by whole seconds, so a page can cut apart the posts of one second. A full
 * page is therefore handed on without its oldest second, which the next page then brings whole.
 */
export class ArcticShiftArchive implements Archive {
  private readonly requestor: Requestor;
  private readonly surroundings: Surroundings;
  private readonly baseUrl: string;
  /** Index of the page size that is tried first: what worked last, made bolder step by step. */
  private boldness = 0;

  constructor(options: ArchiveOptions) {
    this.baseUrl = options.baseUrl.replace(/\/+$/, '');
    this.requestor = new Requestor(options.userAgent, { ...REQUESTOR_LIMITS, ...options.limits });
    this.surroundings = {
      sleep,
      random: Math.random,
      now: Date.now,
      ...options.surroundings,
      log: options.onLog ?? (() => undefined),
    };
  }

  async fetchBefore(target: Target, before: Date | null, session: PlatformSession): Promise<PlatformPost[]> {
    let end = before === null ? null : Math.ceil(before.getTime() / 1_000);
    for (let page = 0; page < MAX_UNREADABLE_PAGES; page++) {
      const answer = await this.fetch(target, { after: null, before: end, sort: 'desc' }, session);
      const posts = before === null ? answer.posts : answer.posts.filter((post) => post.createdUtc < before);
      const { oldest } = answer;
      if (oldest === null) return newestFirst(posts);
      if (!answer.full) return newestFirst(posts);
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

  /** Posts of one second that fills a page: from both ends, which is as far as the archive's paging reaches. */
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
    let size = this.boldness;
    const what = `the archive's posts of ${describeSubject(subjectOf(target))}`;
    return persist(
      what,
      async () => {
        const attempt = await this.attempt(target, span, PAGE_SIZES[size]!, session);
        if (attempt.done) this.boldness = Math.max(0, size - 1);
        else if (/timeout|slow down/i.test(attempt.detail)) size = Math.min(size + 1, PAGE_SIZES.length - 1);
        return attempt;
      },
      session.signal,
      this.surroundings,
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
      const answer = await this.requestor.send(
        {
          method: 'GET',
          url: `${this.baseUrl}/api/posts/search?${params.toString()}`,
          body: null,
          authorization: null,
        },
        session.signal,
      );
      const verdict = judge(answer, this.surroundings.now());
      switch (verdict.kind) {
        case 'content':
          return readPage(verdict.json, limit);
        case 'fault':
          return { done: false, ...verdict };
        case 'redirect':
          throw new PlatformError('bad_answer', 'ARCHIVE_BASE_URL answers with a redirect');
        case 'refusal': {
          const error = asText(verdict.body?.error) ?? `status ${verdict.status}`;
          if (verdict.status === 422)
            return { done: false, fault: 'server', detail: error.slice(0, 100), askedMs: null };
          throw new PlatformError('bad_answer', `The archive refused the request (${error.slice(0, 100)})`);
        }
      }
    } catch (error) {
      if (!(error instanceof TransportFault)) throw error;
      if (error.kind === 'too_large')
        throw new PlatformError('bad_answer', "The archive's answer is too large", { cause: error });
      return { done: false, fault: 'network', detail: error.message, askedMs: null };
    }
  }
}

function readPage(json: unknown, limit: number): Attempt<ArchivePage> {
  const body = asObject(json);
  const rows = body?.data;
  if (!Array.isArray(rows)) {
    const detail = asText(body?.error)?.slice(0, 100) ?? 'no rows in it';
    return { done: false, fault: 'unreadable', detail, askedMs: null };
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
