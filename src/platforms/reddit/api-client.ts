import { PlatformError, type PlatformSession } from '../platform.js';
import { type Authorizer } from './authorizer.js';
import { LimitedSender } from '../http/limited-sender.js';
import {
  type Attempt,
  type RetryDependencies,
  unanswered,
  unreadable,
  withRetry,
} from '../http/with-retry.js';
import { describeSubject, redirectRefusal, refusal, type Subject } from './refusals.js';
import { type RequestBudget } from '../http/request-budget.js';
import { type Requestor, type WireResponse, type WireRequest } from '../http/requestor.js';
import { classifyPlatformResponse } from '../http/response-class.js';
import { withoutEnding } from '../../common/strings.js';

/** A request to the platform's API and the parser of its response. */
export interface ApiRequest<T> {
  method: 'GET' | 'POST';
  /** Begins with `/`; already URL-encoded. */
  path: string;
  /** Sent as the query of a GET or as the form of a POST. */
  params: Record<string, string>;
  subject: Subject;
  /** Parses the response; null for an unexpected shape, which is retried. */
  read: (json: unknown) => T | null;
}

const MAX_REDIRECTS = 3;

/** Sends authorised requests within the budget, with retries. */
export class ApiClient {
  private readonly baseUrl: string;
  private readonly sender: LimitedSender;

  constructor(
    source: string,
    baseUrl: string,
    requestor: Requestor,
    private readonly authorizer: Authorizer,
    budget: RequestBudget,
    private readonly dependencies: RetryDependencies,
  ) {
    this.baseUrl = withoutEnding(baseUrl, '/');
    this.sender = new LimitedSender(source, requestor, budget);
  }

  /** Resolves with the parsed response. Throws {@link PlatformError}, or the session's abort reason. */
  async fetch<T>(request: ApiRequest<T>, session: PlatformSession): Promise<T> {
    const what = describeSubject(request.subject);
    return withRetry(what, () => this.attempt(request, session), session, this.dependencies);
  }

  private async attempt<T>(request: ApiRequest<T>, session: PlatformSession): Promise<Attempt<T>> {
    let wire = this.toWire(request);
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const bearer = await this.authorizer.bearer(session);
      let response: WireResponse;
      try {
        response = await this.sender.send(
          { ...wire, authorization: `Bearer ${bearer}` },
          session,
          isSequential(request),
        );
      } catch (error) {
        return unanswered(error, describeSubject(request.subject));
      }
      const outcome = classifyPlatformResponse(response, this.dependencies.now());
      switch (outcome.kind) {
        case 'fault':
          if (outcome.fault === 'unauthorized') this.authorizer.discard(bearer);
          return { done: false, ...outcome };
        case 'refusal':
          throw refusal(
            request.subject,
            outcome.status,
            outcome.body,
            /insufficient_scope/i.test(response.headers.authenticate ?? ''),
          );
        case 'redirect':
          wire = redirected(wire, outcome.location, request.subject);
          break;
        case 'content': {
          const value = request.read(outcome.json);
          return value === null ? unreadable('unexpected content') : { done: true, value };
        }
      }
    }
    throw new PlatformError(
      'bad_answer',
      `Reddit's redirects form a loop for ${describeSubject(request.subject)}`,
    );
  }

  private toWire(request: ApiRequest<unknown>): Omit<WireRequest, 'authorization'> & { authorization: null } {
    const url = `${this.baseUrl}${request.path}`;
    const params = new URLSearchParams(request.params);
    return request.method === 'GET'
      ? { method: 'GET', url: `${url}?${withRawJson(params)}`, body: null, authorization: null }
      : { method: 'POST', url: `${url}?raw_json=1`, body: params, authorization: null };
  }
}

/**
 * Pages of a listing and batches of stubs are requested one after another, so a delay of one delays all that follow.
 */
function isSequential(request: ApiRequest<unknown>): boolean {
  return request.subject.kind !== 'post' || request.method === 'POST';
}

function withRawJson(params: URLSearchParams): string {
  params.set('raw_json', '1');
  return params.toString();
}

/** The redirected request. Redirects to other hosts are refused, because the token must not be sent there. */
function redirected<W extends WireRequest>(wire: W, location: string | null, subject: Subject): W {
  const from = new URL(wire.url);
  const to = location !== null && URL.canParse(location, from.href) ? new URL(location, from) : null;
  const refused = to && redirectRefusal(subject, to);
  if (refused) throw refused;
  if (to === null || to.origin !== from.origin || wire.method !== 'GET')
    throw new PlatformError(
      'bad_answer',
      `Reddit redirects the request for ${describeSubject(subject)} to another host; such redirects are not followed`,
    );
  to.searchParams.set('raw_json', '1');
  return { ...wire, url: to.toString() };
}
