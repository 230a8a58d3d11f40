import { withoutEnding } from '../../common/strings.js';
import { untilAborted } from '../../common/until-aborted.js';
import { PlatformError, type PlatformSession } from '../platform.js';
import type { LimitedSender } from '../http/limited-sender.js';
import type { RateLimit } from '../http/request-budget.js';
import type { WireRequest, WireResponse } from '../http/requestor.js';
import { classifyPlatformResponse, pageFault } from '../http/response-class.js';
import { parseObject, type WireObject } from '../http/response-parsing.js';
import { readRobots } from './read-robots.js';
import { pageAnswer, type PageRequest } from './site-page.js';
import { redirectGoal } from '../http/redirect-goal.js';
import type { Robots } from './robots.js';
import {
  type Attempt,
  type FailedAttempt,
  readAs,
  type RetryDependencies,
  unanswered,
  withRetry,
} from '../http/with-retry.js';

/** A GET request for JSON of a site, and how to interpret its responses. */
export interface SiteRequest<T> {
  /** The subject of the request, for logs and errors: `the topic dc_forum.example_1`. */
  what: string;
  /** Begins with `/`; already URL-encoded. */
  path: string;
  params?: Record<string, string> | [string, string][];
  /** Whether other requests depend on it; it then starts before the session's other requests. */
  isUrgent?: boolean;
  /** Parses a successful response. */
  read: (json: unknown, origin: ResponseOrigin) => Attempt<T>;
  /**
   * The result of a response with status 400 or above; null for the general one: a login is needed (401, 403), there is
   * no such thing (404, 410), or the response is not understood.
   */
  refused?: (status: number, body: WireObject | null) => Attempt<T> | null;
}

/** A request of which `read` gives null for unexpected content. */
export type ReadRequest<T> = Omit<SiteRequest<T>, 'read' | 'isUrgent'> & {
  read: (json: unknown, origin: ResponseOrigin) => T | null;
};

/** The place of a successful response on the site. */
export interface ResponseOrigin {
  /** Path of the last redirect. */
  path: string;
  /** The `Link` header; null without one. */
  link: string | null;
}

const MAX_REDIRECTS = 3;
/** How long a document that jobs share is kept. */
const DOCUMENT_LIFETIME_MS = 60 * 60_000;
/** Time limit of a document, retries included. */
const DOCUMENT_TIMEOUT_MS = 5 * 60_000;
const LOGIN_PATH = /^\/(?:login|auth|session|users\/sign_in|signup)\b/;

/** Dependencies of a client of one site. */
export interface SiteClientOptions {
  /** Host name, for messages. */
  site: string;
  /** Origin, with a path if the site lies below one. */
  baseUrl: string;
  sender: LimitedSender;
  /** For a robots.txt that lies on another site. */
  outside: LimitedSender;
  dependencies: RetryDependencies;
  /** Whether robots.txt is neither read nor respected. */
  ignoresRobots: boolean;
}

/**
 * Requests JSON from one site without credentials: within its budget, with retries, as its robots.txt allows, following
 * redirects within the site.
 */
export class SiteClient {
  readonly site: string;
  /** Base address of its requests, without a slash at its end. */
  readonly baseUrl: string;
  private readonly documents = new Map<string, { value: Promise<unknown>; until: number }>();

  constructor(private readonly options: SiteClientOptions) {
    this.site = options.site;
    this.baseUrl = withoutEnding(options.baseUrl, '/');
  }

  /** The path below which visitors find the site: that of an address with the site's own host; "" for most. */
  get path(): string {
    const { host, pathname } = new URL(this.baseUrl);
    return host === this.site ? withoutEnding(pathname, '/') : '';
  }

  /** Stays within a limit that the site states in a document, too. */
  limitTo(stated: RateLimit): void {
    this.options.sender.limitTo(stated);
  }

  /** The parsed response, after retries. Throws {@link PlatformError}, or the session's abort reason. */
  async fetch<T>(request: SiteRequest<T>, session: PlatformSession): Promise<T> {
    const url = this.urlOf(request);
    await this.requireAllowed(url, request.what, session);
    return this.retried(request, url, session);
  }

  /** As {@link SiteClient.fetch}, before the session's other requests; `read` gives null for unexpected content. */
  read<T>(request: ReadRequest<T>, session: PlatformSession): Promise<T> {
    const read: SiteRequest<T>['read'] = (json, origin) => readAs(request.read(json, origin));
    return this.fetch({ ...request, isUrgent: true, read }, session);
  }

  /**
   * The parsed response to a request whose result all jobs of the process share for an hour; it counts for no job. The
   * caller gives each kind of document a path of its own. Throws as {@link SiteClient.fetch}.
   */
  async document<T>(request: SiteRequest<T>, session: PlatformSession): Promise<T> {
    const url = this.urlOf(request);
    await this.requireAllowed(url, request.what, session);
    return this.shared(url, session, (own) => this.retried(request, url, own));
  }

  /** A document that is no JSON, of any status below 500, after retries; redirects are not followed. Throws as {@link SiteClient.fetch}. */
  async page<T>(request: PageRequest<T>, session: PlatformSession): Promise<T> {
    const { what, address, ...page } = request;
    const url = `${this.baseUrl}${address.pathname}${address.search}`;
    const { dependencies } = this.options;
    await this.requireAllowed(url, what, session);
    const attempt = async (): Promise<Attempt<T>> => {
      const response = await this.send({ what, isUrgent: true }, url, session, this.options.sender, page);
      if ('done' in response) return response;
      return (
        pageFault(response, dependencies.now()) ?? request.read(pageAnswer(response, address, this.baseUrl))
      );
    };
    return withRetry(what, attempt, session, dependencies);
  }

  private retried<T>(request: SiteRequest<T>, url: string, session: PlatformSession): Promise<T> {
    return withRetry(
      request.what,
      () => this.attempt(request, url, session, MAX_REDIRECTS),
      session,
      this.options.dependencies,
    );
  }

  private async attempt<T>(
    request: SiteRequest<T>,
    url: string,
    session: PlatformSession,
    redirects: number,
  ): Promise<Attempt<T>> {
    const response = await this.send(request, url, session);
    if ('done' in response) return response;
    const outcome =
      response.status === 401
        ? ({ kind: 'refusal', status: 401, body: parseObject(response.text) } as const)
        : classifyPlatformResponse(response, this.options.dependencies.now());
    switch (outcome.kind) {
      case 'content':
        return request.read(outcome.json, {
          path: pathOf(url, this.baseUrl),
          link: response.headers.link,
        });
      case 'fault':
        return { done: false, ...outcome };
      case 'redirect':
        return this.attempt(
          request,
          this.redirected(outcome.location, url, request.what, redirects),
          session,
          redirects - 1,
        );
      case 'refusal': {
        const result = request.refused?.(outcome.status, outcome.body) ?? null;
        if (result !== null) return result;
        throw this.refusal(request.what, outcome.status);
      }
    }
  }

  /** The response, or the failed attempt. */
  private async send(
    { what, isUrgent }: Pick<SiteRequest<unknown>, 'what' | 'isUrgent'>,
    url: string,
    session: PlatformSession,
    sender = this.options.sender,
    page?: WireRequest['page'],
  ): Promise<WireResponse | FailedAttempt> {
    try {
      session.signal.throwIfAborted();
      const wire = { method: 'GET', url, body: null, authorization: null, ...(page && { page }) } as const;
      return await sender.send(wire, session, isUrgent ?? false);
    } catch (error) {
      return unanswered(error, what);
    }
  }

  /** Throws {@link PlatformError} unless the redirect stays within the site. */
  private redirected(location: string | null, from: string, what: string, redirects: number): string {
    const { site } = this;
    const goal = redirectGoal(location, from);
    if (goal === null || redirects === 0)
      throw new PlatformError('bad_answer', `${site} redirects the request for ${what} without an end`);
    const own = this.ownAddress(goal);
    if (own === null)
      throw new PlatformError(
        'target_not_found',
        `${site} redirects to ${goal.hostname}. Name that site in the target`,
      );
    if (LOGIN_PATH.test(goal.pathname)) throw this.refusal(what, 401);
    return own;
  }

  /** The address at which a page of the site is requested; null for one of another site. The site names itself in redirects. */
  private ownAddress({ host, hostname, pathname, search }: URL): string | null {
    const base = new URL(this.baseUrl);
    const isOwn = host === base.host || hostname === this.site.replace(/:\d+$/, '');
    return isOwn ? `${base.origin}${pathname}${search}` : null;
  }

  private refusal(what: string, status: number): PlatformError {
    if (status === 401)
      return new PlatformError('target_private', `${this.site} shows ${what} only to its members`);
    if (status === 403)
      return new PlatformError('target_forbidden', `${this.site} does not show ${what} to visitors`);
    if (status === 404 || status === 410)
      return new PlatformError(
        'target_not_found',
        `${this.site} has nothing there, or not for visitors: ${what}`,
      );
    return new PlatformError(
      'bad_answer',
      `${this.site} refused the request for ${what} with status ${status}`,
    );
  }

  private async requireAllowed(url: string, what: string, session: PlatformSession): Promise<void> {
    if (this.options.ignoresRobots) return;
    const robotsUrl = new URL('/robots.txt', this.baseUrl).href;
    const robots = await this.shared(robotsUrl, session, (own) =>
      withRetry('robots.txt', () => this.readRobots(robotsUrl, own), own, this.options.dependencies),
    );
    const { pathname, search } = new URL(url);
    if (!robots.allows(pathname + search))
      throw new PlatformError(
        'target_forbidden',
        `The robots.txt of ${this.site} asks programs not to read ${what}. The operator can ignore it with SOURCE_IGNORE_NOINDEX=true`,
      );
  }

  private readRobots(robotsUrl: string, session: PlatformSession): Promise<Attempt<Robots>> {
    const { sender, outside, dependencies } = this.options;
    return readRobots(robotsUrl, {
      ownAddress: (goal) => this.ownAddress(goal),
      send: (url, isOwn) =>
        this.send({ what: 'robots.txt', isUrgent: true }, url, session, isOwn ? sender : outside),
      now: dependencies.now,
    });
  }

  /** Loads a document once for all sessions, by a session of its own that outlives them. */
  private async shared<T>(
    key: string,
    session: PlatformSession,
    load: (session: PlatformSession) => Promise<T>,
  ): Promise<T> {
    const { now } = this.options.dependencies;
    let known = this.documents.get(key);
    if (known === undefined || known.until < now()) {
      const value = load({
        signal: AbortSignal.timeout(DOCUMENT_TIMEOUT_MS),
        workspaceId: session.workspaceId,
        priority: session.priority,
        isBrief: session.isBrief ?? false,
        onRequest: () => undefined,
      });
      known = { value, until: now() + DOCUMENT_LIFETIME_MS };
      this.documents.set(key, known);
      value.catch(() => this.documents.delete(key));
    }
    return untilAborted(known.value as Promise<T>, session.signal);
  }

  private urlOf({ path, params }: Pick<SiteRequest<unknown>, 'path' | 'params'>): string {
    const query = new URLSearchParams(params).toString();
    return `${this.baseUrl}${path}${query === '' ? '' : `?${query}`}`;
  }
}

function pathOf(url: string, baseUrl: string): string {
  const { pathname } = new URL(url);
  const base = withoutEnding(new URL(baseUrl).pathname, '/');
  return pathname.startsWith(base) ? pathname.slice(base.length) : pathname;
}
