import { PlatformError, type PlatformSession } from '../platform.js';
import { LimitedSender } from './limited-sender.js';
import { type RequestBudget } from './request-budget.js';
import { type RequestSender, type WireResponse } from './requestor.js';
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

/** A GET request for JSON, and how to interpret its responses. */
export interface JsonRequest<T> {
  /** The subject of the request, for logs and errors: `the thread hn_1`. */
  what: string;
  /** Begins with `/`; already URL-encoded. */
  path: string;
  params: Record<string, string>;
  /** Whether other requests depend on it; it then starts before the session's other requests. */
  isUrgent: boolean;
  /** Parses a successful response; see {@link unreadable}. */
  read: (json: unknown) => Attempt<T>;
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

/** Requests JSON from a source without credentials, within its budget. */
export class JsonClient {
  private readonly baseUrl: string;
  private readonly sender: LimitedSender;

  /** `source` names the platform in metrics, `variable` names the environment variable of the base URL in errors. */
  constructor(
    source: string,
    baseUrl: string,
    private readonly variable: string,
    requestor: RequestSender,
    budget: RequestBudget | null,
    private readonly dependencies: RetryDependencies,
  ) {
    this.baseUrl = withoutEnding(baseUrl, '/');
    this.sender = new LimitedSender(source, requestor, budget);
  }

  /** The parsed response, after retries. Throws {@link PlatformError}, or the session's abort reason. */
  fetch<T>(request: JsonRequest<T>, session: PlatformSession): Promise<T> {
    return withRetry(request.what, () => this.attempt(request, session), session, this.dependencies);
  }

  /** One attempt, for a caller that changes its request between attempts. Throws as {@link JsonClient.fetch}. */
  async attempt<T>(request: JsonRequest<T>, session: PlatformSession): Promise<Attempt<T>> {
    const query = new URLSearchParams(request.params).toString();
    const url = `${this.baseUrl}${request.path}${query === '' ? '' : `?${query}`}`;
    let response: WireResponse;
    try {
      session.signal.throwIfAborted();
      const wire = { method: 'GET', url, body: null, authorization: null } as const;
      response = await this.sender.send(wire, session, request.isUrgent);
    } catch (error) {
      return unanswered(error, request.what);
    }
    const outcome = classifyPlatformResponse(response, this.dependencies.now());
    switch (outcome.kind) {
      case 'content':
        return request.read(outcome.json);
      case 'fault':
        return { done: false, ...outcome };
      case 'redirect':
        throw new PlatformError('bad_answer', `${this.variable} answers with a redirect`);
      case 'refusal':
        return request.refused(outcome.status, outcome.body);
    }
  }
}
