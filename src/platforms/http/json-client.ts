import { PlatformError, type PlatformSession } from '../platform.js';
import { LimitedSender } from './limited-sender.js';
import { type RequestBudget } from './request-budget.js';
import { type RequestSender, type WireRequest, type WireResponse } from './requestor.js';
import { redirectGoal } from './redirect-goal.js';
import { classifyPlatformResponse } from './response-class.js';
import {
  type Attempt,
  type PlatformLog,
  type RetryDependencies,
  type TimeOverrides,
  unanswered,
  withRetry,
} from './with-retry.js';
import { type WireObject } from './response-parsing.js';
import { withoutEnding } from '../../common/strings.js';

/** A request for JSON, and how to interpret its responses. */
export interface JsonRequest<T> {
  /** The subject of the request, for logs and errors: `the thread hn_1`. */
  what: string;
  /** Begins with `/`; already URL-encoded. */
  path: string;
  params: Record<string, string>;
  /** A JSON text that is sent by POST; without it the request is a GET. */
  json?: string;
  /** Whether other requests depend on it; it then starts before the session's other requests. */
  isUrgent: boolean;
  /** Parses a successful response; see {@link unreadable}. `link` is its `Link` header. */
  read: (json: unknown, link: string | null) => Attempt<T>;
  /**
   * The result of a response with status 400 or above, if the status is an expected one; otherwise throws
   * {@link PlatformError}.
   */
  refused: (status: number, body: WireObject | null) => Attempt<T>;
}

/** How to reach the API of a source. */
export interface ApiOptions {
  /** May include a path. */
  baseUrl: string;
  userAgent: string;
  /** Shared by all processes that send from this address. */
  budget: RequestBudget;
  onLog?: PlatformLog;
  /** Overrides of sleep, clock and random source, for tests. */
  dependencies?: TimeOverrides;
}

/** Where a client sends its requests. */
interface ClientAddress {
  /** Name of the platform in metrics. */
  source: string;
  baseUrl: string;
  /** The environment variable of the base URL, which errors name. */
  variable: string;
  /** The header of all requests. */
  authorization?: string | null;
}

/** Redirects of one request that are followed. */
const MAX_REDIRECTS = 3;

/** Requests JSON from a source within its budget, following redirects within its origin. */
export class JsonClient {
  private readonly baseUrl: string;
  private readonly sender: LimitedSender;

  private readonly variable: string;
  private readonly authorization: string | null;

  constructor(
    { source, baseUrl, variable, authorization = null }: ClientAddress,
    requestor: RequestSender,
    budget: RequestBudget | null,
    private readonly dependencies: RetryDependencies,
  ) {
    this.variable = variable;
    this.authorization = authorization;
    this.baseUrl = withoutEnding(baseUrl, '/');
    this.sender = new LimitedSender(source, requestor, budget);
  }

  /** The parsed response, after retries. Throws {@link PlatformError}, or the session's abort reason. */
  fetch<T>(request: JsonRequest<T>, session: PlatformSession): Promise<T> {
    return withRetry(request.what, () => this.attempt(request, session), session, this.dependencies);
  }

  /** One attempt, for a caller that changes its request between attempts. Throws as {@link JsonClient.fetch}. */
  attempt<T>(request: JsonRequest<T>, session: PlatformSession): Promise<Attempt<T>> {
    const query = new URLSearchParams(request.params).toString();
    const url = `${this.baseUrl}${request.path}${query === '' ? '' : `?${query}`}`;
    return this.attemptAt(url, request, session, MAX_REDIRECTS);
  }

  private async attemptAt<T>(
    url: string,
    request: JsonRequest<T>,
    session: PlatformSession,
    redirects: number,
  ): Promise<Attempt<T>> {
    const { json } = request;
    const { authorization } = this;
    let response: WireResponse;
    try {
      session.signal.throwIfAborted();
      const wire: WireRequest =
        json === undefined
          ? { method: 'GET', url, body: null, authorization }
          : { method: 'POST', url, body: null, authorization, json };
      response = await this.sender.send(wire, session, request.isUrgent);
    } catch (error) {
      return unanswered(error, request.what);
    }
    const outcome = classifyPlatformResponse(response, this.dependencies.now());
    switch (outcome.kind) {
      case 'content':
        return request.read(outcome.json, response.headers.link);
      case 'fault':
        return { done: false, ...outcome };
      case 'redirect': {
        const goal = redirectGoal(outcome.location, url);
        // The authorization is for this origin only.
        if (goal?.origin !== new URL(this.baseUrl).origin || redirects === 0)
          throw new PlatformError('bad_answer', `${this.variable} answers with a redirect`);
        return this.attemptAt(goal.href, request, session, redirects - 1);
      }
      case 'refusal':
        return request.refused(outcome.status, outcome.body);
    }
  }
}
