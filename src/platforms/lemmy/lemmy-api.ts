import { asNumber, asObject, asText, type WireObject } from '../http/response-parsing.js';
import type { RateLimit } from '../http/request-budget.js';
import type { SiteClient } from '../sites/site-client.js';
import { type Attempt, faulty, unreadable } from '../http/with-retry.js';
import { PlatformError, type PlatformSession } from '../platform.js';
import { filledPage } from '../filled-page.js';
import { CUT, type Dialect, notSafeForWork, type ViewPage } from './dialect.js';
import { type LemmyComment, missingOf, readComments, viewsIn } from './lemmy-wire.js';
import { describeTarget, type LemmyTarget } from './lemmy-target.js';

/** The most that a list gives at a time. */
export const PAGE_SIZE = 50;
/** More levels than threads have. */
const MAX_DEPTH = '50';
/** Enough for the most posts of a job. Versions before 1.0 refuse pages beyond the 10th or the 100th. */
const MAX_PAGES = 200;
/** Numbers of pages to which versions from 0.19.14 on limit numbered ones. Posts of accounts have no others before 1.0. */
const LAST_PAGES: ReadonlySet<number> = new Set([10, 100]);
/** A stated limit of fewer requests than one an hour is taken for a mistake. */
const LONGEST_LIMIT_MS = 3_600_000;
/** A last numbered page that lacks more posts than this ends the listing by itself. */
const MAX_LEFT_OUT = 12;

/** Lemmy: version 3 of its API up to 0.19, version 4 from 1.0 on, whose version 3 is a remnant. */
export class LemmyApi implements Dialect {
  private constructor(
    readonly client: SiteClient,
    private readonly version: 3 | 4,
    private readonly showsNsfw: boolean,
  ) {}

  /** The API that the instance's version speaks; read once an hour for all jobs, together with the instance's limit. */
  static async of(client: SiteClient, showsNsfw: boolean, session: PlatformSession): Promise<LemmyApi> {
    const version = await client.document(
      {
        what: 'the version',
        path: '/api/v3/site',
        isUrgent: true,
        read: (json) => {
          const text = asText(asObject(json)?.version);
          // Builds from source may have a word for it, or `v` before it.
          const major = Number(/\d+/.exec(text ?? '')?.[0] ?? 0);
          const limit = statedLimit(json);
          if (limit !== null) client.limitTo(limit);
          return text === null
            ? unreadable('no version')
            : { done: true, value: major >= 1 ? (4 as const) : (3 as const) };
        },
        // A later version may end version 3 of the API.
        refused: (status, body) =>
          status === 404 ? { done: true, value: 4 as const } : limited(status, asText(body?.error)),
      },
      session,
    );
    return new LemmyApi(client, version, showsNsfw);
  }

  /**
   * A page of a target's posts, newest first; `after` is a page's number (`p2`), or its cursor with that of the page before
   * it (`cP12 P34`). A cursor names a post: when that is gone, the page before it leads on.
   */
  listPosts(target: LemmyTarget, after: string | null, session: PlatformSession): Promise<ViewPage> {
    return filledPage(after, (from) => this.readPage(target, from, session));
  }

  private async readPage(
    target: LemmyTarget,
    after: string | null,
    session: PlatformSession,
  ): Promise<ViewPage & { received: number }> {
    const [refused, previous = ''] = cursorsIn(after);
    let page = await this.postPage(target, after, session);
    if (page === null && previous !== '') page = await this.postPage(target, `c${previous}`, session);
    page ??= await this.postPage(target, null, session);
    if (page === null || (refused !== undefined && cursorsIn(page.after)[0] === refused))
      throw new PlatformError('bad_answer', `${target.site} refuses the cursor that it gave`);
    if (page.views.length === 0 && after === null && target.kind === 'community')
      await this.requireShown(target.name, session);
    return { ...page, received: page.views.length };
  }

  /** Throws {@link PlatformError} for a community that is not listed because it is marked as not safe for work. */
  private async requireShown(name: string, session: PlatformSession): Promise<void> {
    if (this.showsNsfw) return;
    const what = `the community "${name}"`;
    const isNsfw = await this.fetch(
      what,
      '/community',
      { name },
      session,
      (json) => asObject(asObject(asObject(json)?.community_view)?.community)?.nsfw === true,
      (error) => (error === 'rate_limit_error' ? undefined : false),
    );
    if (isNsfw) throw notSafeForWork(this.client.site, what);
  }

  /** Null for a refused cursor. */
  private postPage(
    target: LemmyTarget,
    after: string | null,
    session: PlatformSession,
  ): Promise<ViewPage | null> {
    const isUser = target.kind === 'user';
    const type = this.typeOf(target);
    const [path, names]: [string, Record<string, string>] =
      this.version === 3 && isUser
        ? ['/user', { username: target.name }]
        : ['/post/list', { type_: type, ...nameOf(target) }];
    const page = after?.startsWith('p') ? Number(after.slice(1)) : 1;
    const [cursor] = cursorsIn(after);
    const linkTo = (next: string): string => `c${next}${cursor === undefined ? '' : ` ${cursor}`}`;
    return this.fetch<ViewPage | null>(
      describeTarget(target),
      path,
      {
        ...names,
        sort: this.word('New'),
        limit: String(PAGE_SIZE),
        // Versions before 0.19.6 ignore it.
        ...(this.showsNsfw && { show_nsfw: 'true' }),
        ...(this.version === 4 && { time_range_seconds: '0' }),
        ...(cursor === undefined ? page > 1 && { page: String(page) } : { page_cursor: cursor }),
      },
      session,
      (json) => {
        const list = viewsIn(json);
        if (list === null) return null;
        const { views, next } = list;
        if (this.version === 4) return { views, after: next && linkTo(next) };
        // Only an empty page is certainly the last, except where no further one is shown.
        const isShort = views.length < PAGE_SIZE - MAX_LEFT_OUT;
        const isLast = views.length === 0 || page >= MAX_PAGES || (LAST_PAGES.has(page) && isShort);
        return { views, after: next !== null ? linkTo(next) : isLast ? null : `p${page + 1}` };
      },
      (error) => {
        if (cursor !== undefined) return /^$|rate_limit|private|logged_in/.test(error) ? undefined : null;
        const isBeyond = LAST_PAGES.has(page - 1) && /^(?:couldnt_get_posts|unknown)$/.test(error);
        return isBeyond ? CUT : undefined;
      },
    );
  }

  listsComments({ kind }: LemmyTarget): boolean {
    return kind !== 'user';
  }

  /** A page of a target's comments, newest first; `after` is a page's number, or its cursor from version 1.0 on. */
  listNewComments(target: LemmyTarget, after: string | null, session: PlatformSession): Promise<ViewPage> {
    const place = { [this.version === 3 ? 'page' : 'page_cursor']: after ?? '' };
    const params = {
      type_: this.typeOf(target),
      ...nameOf(target),
      sort: this.word('New'),
      limit: String(PAGE_SIZE),
    };
    return this.fetch<ViewPage>(
      'the newest comments',
      '/comment/list',
      { ...params, ...(after !== null && place) },
      session,
      (json) => {
        const list = viewsIn(json);
        const further = list?.views.length === 0 ? null : String(Number(after ?? 1) + 1);
        return list && { views: list.views, after: this.version === 3 ? further : list.next };
      },
      (error) => (after !== null && error === 'couldnt_get_comments' ? CUT : undefined),
    );
  }

  /** The comments of a post; null when there is no such post. */
  async listComments(postId: string, session: PlatformSession): Promise<LemmyComment[] | null> {
    const flat = { post_id: postId, type_: this.word('All'), sort: this.word('Old') };
    const tree = { ...flat, max_depth: MAX_DEPTH };
    const found = await this.commentPages(postId, tree, [], this.version === 4 ? MAX_PAGES : 1, session);
    // Version 3 answers with the first 300 comments and knows no further page; without `max_depth` it does.
    if (found === null || this.version === 4 || missingOf(found) === 0) return found;
    const paged = { ...flat, limit: String(PAGE_SIZE) };
    return (await this.commentPages(postId, paged, found, MAX_PAGES, session)) ?? found;
  }

  /** Adds pages to known comments until there is no further page, or none of the comments that they count is missing. */
  private async commentPages(
    postId: string,
    params: Record<string, string>,
    known: readonly LemmyComment[],
    maxPages: number,
    session: PlatformSession,
  ): Promise<LemmyComment[] | null> {
    const comments = new Map(known.map((one) => [one.id, one]));
    let cursor: string | null = null;
    for (let page = 1; page <= maxPages; page += 1) {
      const place: Record<string, string> = cursor ? { page_cursor: cursor } : { page: String(page) };
      const answer: { views: readonly unknown[]; next: string | null } | null = await this.fetch(
        `the comments of the post ${postId}`,
        '/comment/list',
        page === 1 ? params : { ...params, ...place },
        session,
        viewsIn,
        (error) => (isMissing(error) || (page > 1 && error === 'couldnt_get_comments') ? null : undefined),
      );
      if (answer === null && page === 1) return null;
      if (answer === null) break;
      for (const comment of readComments(answer.views)) comments.set(comment.id, comment);
      cursor = answer.next;
      const isLast = this.version === 4 ? cursor === null : answer.views.length === 0;
      if (isLast || (this.version === 3 && missingOf([...comments.values()]) === 0)) break;
    }
    return [...comments.values()];
  }

  /** The view of a post or a comment; null when there is none, or no longer. */
  getView(kind: 'post' | 'comment', id: string, session: PlatformSession): Promise<WireObject | null> {
    return this.fetch<WireObject | null>(
      `the ${kind} ${id}`,
      `/${kind}`,
      { id },
      session,
      (json) => asObject(asObject(json)?.[`${kind}_view`]),
      (error) => (isMissing(error) ? null : undefined),
    );
  }

  /** `read` gives null for an unexpected shape, `refused` undefined for an error that is not expected. */
  private fetch<T>(
    what: string,
    path: string,
    params: Record<string, string>,
    session: PlatformSession,
    read: (json: unknown) => T | null,
    refused: (error: string) => T | undefined,
  ): Promise<T> {
    return this.client.read<T>(
      {
        what,
        path: `/api/v${this.version}${path}`,
        params,
        read,
        refused: (status, body) => {
          const error = asText(body?.error) ?? '';
          const value = refused(error);
          return value === undefined ? this.refusal(what, status, error) : { done: true, value };
        },
      },
      session,
    );
  }

  /** Versions before 1.0 answer to nearly everything with status 400. */
  private refusal(what: string, status: number, error: string): Attempt<never> | null {
    const { site } = this.client;
    if (error === 'instance_is_private' || error === 'not_logged_in')
      throw new PlatformError('target_private', `${site} shows its content only to its members`);
    if (isMissing(error))
      throw new PlatformError('target_not_found', `${site} has nothing there, or not for visitors: ${what}`);
    return limited(status, error);
  }

  private typeOf({ kind }: LemmyTarget): string {
    return this.word(kind === 'local' ? 'Local' : 'All');
  }

  /** Names of values are in camel case up to 0.19, in snake case from 1.0 on; those used here are single words. */
  private word(name: 'All' | 'Local' | 'New' | 'Old'): string {
    return this.version === 4 ? name.toLowerCase() : name;
  }
}

const nameOf = (target: LemmyTarget): Record<string, string> => ({
  ...(target.kind === 'community' && { community_name: target.name }),
  ...(target.kind === 'user' && { creator_username: target.name }),
});

/** The cursor of a page and of the one before it; none for the first page and for numbered ones. */
function cursorsIn(after: string | null): string[] {
  return after?.startsWith('c') ? after.slice(1).split(' ') : [];
}

/** Versions before 1.0 answer with status 400 to requests beyond their limit. */
function limited(status: number, error: string | null): Attempt<never> | null {
  return error === 'rate_limit_error' ? faulty('rate_limited', `status ${status} with ${error}`) : null;
}

/** The limit of an instance for one address; null when it does not state one. Versions from 1.0 on send headers. */
function statedLimit(json: unknown): RateLimit | null {
  const limits = asObject(asObject(asObject(json)?.site_view)?.local_site_rate_limit);
  const [requests, seconds] = [asNumber(limits?.message), asNumber(limits?.message_per_second)];
  if (requests === null || seconds === null || requests < 1 || seconds < 1) return null;
  return { requests, withinMs: Math.min(seconds * 1_000, requests * LONGEST_LIMIT_MS) };
}

const isMissing = (error: string): boolean => /^couldnt_find_/.test(error) || error === 'not_found';
