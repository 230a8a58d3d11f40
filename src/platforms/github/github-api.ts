import { JsonClient, type JsonRequest } from '../http/json-client.js';
import { nextQuery } from '../http/link-header.js';
import { asObject, asText, type WireObject } from '../http/response-parsing.js';
import { type Attempt, readAs } from '../http/with-retry.js';
import { PlatformError, type PlatformSession } from '../platform.js';
import { type FeedPage, ThreadFeed } from '../thread-feed.js';
import { type GitHubComment, issueOf, readComment } from './github-wire.js';
import type { GitHubTarget, GitHubThread } from './github-target.js';

const PAGE_SIZE = '100';
/** Results that a search gives. */
const MAX_RESULTS = 1_000;

/** Items of a page as received, and the query of the next page; null at the end. */
export interface ItemPage {
  items: readonly unknown[];
  next: string | null;
  /** Whether the source gives no more although there are some. */
  isCut?: boolean;
  /** Whether the repository has its issues switched off. */
  isOff?: boolean;
}

/** The methods of the API that are used. */
export class GitHubApi {
  constructor(private readonly client: JsonClient) {}

  /** A page of a target's issues and pull requests, latest activity first; only those with activity since a time, if any. */
  readIssues(
    target: GitHubTarget,
    query: string | null,
    since: Date | undefined,
    session: PlatformSession,
  ): Promise<ItemPage> {
    const isUser = target.kind === 'user';
    const own: Record<string, string> = isUser
      ? { q: `author:${target.name}`, order: 'desc' }
      : { state: 'all', direction: 'desc', ...(since && { since: since.toISOString() }) };
    return this.fetch(
      describe(target),
      isUser ? '/search/issues' : `/repos/${target.repository}/issues`,
      query === null
        ? { ...own, sort: 'updated', per_page: PAGE_SIZE }
        : Object.fromEntries(new URLSearchParams(query)),
      session,
      (json, link) => (isUser ? readSearch(json, link) : readList(json, link)),
      (status, body) => refusalOf(describe(target), status, body),
    );
  }

  /** A page of the newest public issues, or pull requests, that were opened since a time, by the search. */
  readNew(
    kind: 'issue' | 'pr',
    query: string | null,
    since: Date,
    session: PlatformSession,
  ): Promise<ItemPage> {
    const q = `is:public is:${kind} created:>=${since.toISOString().replace(/\.\d+/, '')}`;
    return this.fetch(
      'all that is new',
      '/search/issues',
      query === null
        ? { q, sort: 'created', order: 'desc', per_page: PAGE_SIZE }
        : Object.fromEntries(new URLSearchParams(query)),
      session,
      readSearch,
      () => null,
    );
  }

  /** A page of the comments on an issue; null when there is no such issue, or no longer. */
  readComments(
    { repository, number }: GitHubThread,
    query: string | null,
    session: PlatformSession,
  ): Promise<ItemPage | null> {
    return this.fetch<ItemPage | null>(
      `the comments on ${repository}#${number}`,
      `/repos/${repository}/issues/${number}/comments`,
      query === null ? { per_page: PAGE_SIZE } : Object.fromEntries(new URLSearchParams(query)),
      session,
      readList,
      missingAs(null),
    );
  }

  /** The comments on all issues of a repository, newest first. */
  commentFeed(repository: string): ThreadFeed<GitHubComment> {
    let query: string | null = null;
    return new ThreadFeed(async (session): Promise<FeedPage<GitHubComment>> => {
      const page: ItemPage = await this.fetch(
        `the comments of ${repository}`,
        `/repos/${repository}/issues/comments`,
        query === null
          ? { sort: 'created', direction: 'desc', per_page: PAGE_SIZE }
          : Object.fromEntries(new URLSearchParams(query)),
        session,
        readList,
        () => null,
      );
      query = page.next;
      const items = page.items.flatMap((value): [string, GitHubComment][] => {
        const [issue, comment] = [issueOf(value), readComment(value)];
        return issue === null || comment === null ? [] : [[issue, comment]];
      });
      return { items, isLast: query === null };
    });
  }

  /** An issue or pull request; `gone` when it was deleted, null when there is none that visitors see. */
  readIssue(
    { repository, number }: GitHubThread,
    session: PlatformSession,
  ): Promise<WireObject | 'gone' | null> {
    return this.fetch<WireObject | 'gone' | null>(
      `${repository}#${number}`,
      `/repos/${repository}/issues/${number}`,
      {},
      session,
      asObject,
      (status) => (status === 410 ? { done: true, value: 'gone' } : missingAs(null)(status)),
    );
  }

  private fetch<T>(
    what: string,
    path: string,
    params: Record<string, string>,
    session: PlatformSession,
    read: (json: unknown, link: string | null) => T | null,
    refused: (status: number, body: WireObject | null) => Attempt<T> | null,
  ): Promise<T> {
    const request: JsonRequest<T> = {
      what,
      path,
      params,
      isUrgent: true,
      read: (json, link) => readAs(read(json, link)),
      refused: (status, body) => refused(status, body) ?? unexpected(what, status, body),
    };
    return this.client.fetch(request, session);
  }
}

/** Fails for a refusal that is not expected. */
export function unexpected(what: string, status: number, body: WireObject | null): never {
  const said = asText(body?.message) ?? 'nothing';
  const code = status === 403 ? 'target_forbidden' : status === 451 ? 'target_banned' : 'bad_answer';
  throw new PlatformError(
    code,
    `GitHub refused the request for ${what} with status ${status} (it says: ${said})`,
  );
}

const missingAs =
  <T>(value: T) =>
  (status: number): Attempt<T> | null =>
    status === 404 || status === 410 ? { done: true, value } : null;

function refusalOf(what: string, status: number, body: WireObject | null): Attempt<ItemPage> | null {
  if (status === 404 || (status === 422 && /cannot be searched/.test(JSON.stringify(body))))
    throw new PlatformError('target_not_found', `There is no ${what} on GitHub, or it is private`);
  return status === 410 ? { done: true, value: { items: [], next: null, isOff: true } } : null;
}

function readList(json: unknown, link: string | null): ItemPage | null {
  return Array.isArray(json) ? { items: json, next: nextQuery(link ?? '')?.toString() ?? null } : null;
}

function readSearch(json: unknown, link: string | null): ItemPage | null {
  const body = asObject(json);
  const page = readList(body?.items, link);
  const isCut = Number(body?.total_count) > MAX_RESULTS || body?.incomplete_results === true;
  return page && { ...page, ...(isCut && page.next === null && { isCut }) };
}

/** What people call a target. */
export function describe(target: GitHubTarget): string {
  return target.kind === 'user' ? `account "${target.name}"` : `repository "${target.repository}"`;
}
