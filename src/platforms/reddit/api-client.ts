import { PlatformError, type PlatformSession } from '../platform.js';
import { type Authorizer } from './authorizer.js';
import { InFlight } from './in-flight.js';
import { type Attempt, persist, type Surroundings } from './persistence.js';
import { describeSubject, redirectRefusal, refusal, type Subject } from './refusals.js';
import { parseRateLimit, type RequestBudget } from './request-budget.js';
import { type Requestor, TransportFault, type WireAnswer, type WireRequest } from './requestor.js';
import { judge } from './verdict.js';

/** A question to the platform's API. */
export interface ApiRequest<T> {
  method: 'GET' | 'POST';
  /** Begins with `/`; its parts are already escaped. */
  path: string;
  /** In the address for GET, as a form for POST. */
  params: Record<string, string>;
  subject: Subject;
  /** Takes the answer apart; null when it is not what was asked for, which counts as a fault that may pass. */
  read: (json: unknown) => T | null;
}

const MAX_REDIRECTS = 3;

/** Asks authorised questions within the budget until they are answered, refused, or patience ends. */
export class ApiClient {
  private readonly baseUrl: string;
  private readonly inFlight = new InFlight();

  constructor(
    baseUrl: string,
    private readonly requestor: Requestor,
    private readonly authorizer: Authorizer,
    private readonly budget: RequestBudget,
    private readonly surroundings: Surroundings,
  ) {
    this.baseUrl = baseUrl.replace(/\/+$/, '');
  }

  /** Throws {@link PlatformError}, or the session's abort reason. */
  async ask<T>(request: ApiRequest<T>, session: PlatformSession): Promise<T> {
    const what = describeSubject(request.subject);
    return persist(what, () => this.attempt(request, session), session.signal, this.surroundings);
  }

  private async attempt<T>(request: ApiRequest<T>, session: PlatformSession): Promise<Attempt<T>> {
    let wire = this.toWire(request);
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const bearer = await this.authorizer.bearer(session.signal);
      let answer: WireAnswer;
      try {
        answer = await this.send({ ...wire, authorization: `Bearer ${bearer}` }, session, isLink(request));
      } catch (error) {
        if (!(error instanceof TransportFault)) throw error;
        if (error.kind === 'too_large')
          throw new PlatformError(
            'bad_answer',
            `The answer for ${describeSubject(request.subject)} is too large`,
          );
        return { done: false, fault: 'network', detail: error.message, askedMs: null };
      }
      const verdict = judge(answer, this.surroundings.now());
      switch (verdict.kind) {
        case 'fault':
          if (verdict.fault === 'unauthorized') this.authorizer.refused(bearer);
          return { done: false, ...verdict };
        case 'refusal':
          throw refusal(
            request.subject,
            verdict.status,
            verdict.body,
            /insufficient_scope/i.test(answer.headers.authenticate ?? ''),
          );
        case 'redirect':
          wire = redirected(wire, verdict.location, request.subject);
          break;
        case 'content': {
          const value = request.read(verdict.json);
          return value === null
            ? { done: false, fault: 'unreadable', detail: 'not what was asked for', askedMs: null }
            : { done: true, value };
        }
      }
    }
    throw new PlatformError(
      'bad_answer',
      `The platform redirects in circles for ${describeSubject(request.subject)}`,
    );
  }

  private async send(wire: WireRequest, session: PlatformSession, goesFirst: boolean): Promise<WireAnswer> {
    const began = performance.now();
    await this.budget.acquire(session);
    session.onBudgetWait?.(performance.now() - began);
    await this.inFlight.enter(session, goesFirst);
    let answer: WireAnswer | null = null;
    try {
      session.signal.throwIfAborted();
      session.onRequest();
      answer = await this.requestor.send(wire, session.signal);
      return answer;
    } finally {
      this.inFlight.leave(session);
      this.budget.report(answer && parseRateLimit(answer.headers), answer?.status ?? 0);
    }
  }

  private toWire(request: ApiRequest<unknown>): Omit<WireRequest, 'authorization'> & { authorization: null } {
    const url = `${this.baseUrl}${request.path}`;
    const params = new URLSearchParams(request.params);
    return request.method === 'GET'
      ? { method: 'GET', url: `${url}?${withRawJson(params)}`, body: null, authorization: null }
      : { method: 'POST', url: `${url}?raw_json=1`, body: params, authorization: null };
  }
}

/** Pages of a listing and expansions of stubs follow one another: what waits for them waits for the whole chain. */
function isLink(request: ApiRequest<unknown>): boolean {
  return request.subject.kind !== 'post' || request.method === 'POST';
}

function withRawJson(params: URLSearchParams): string {
  params.set('raw_json', '1');
  return params.toString();
}

/** Where to ask instead. The token goes to no other host, so neither does the request. */
function redirected<W extends WireRequest>(wire: W, location: string | null, subject: Subject): W {
  const from = new URL(wire.url);
  const to = location !== null && URL.canParse(location, from.href) ? new URL(location, from) : null;
  const refused = to && redirectRefusal(subject, to);
  if (refused) throw refused;
  if (to === null || to.origin !== from.origin || wire.method !== 'GET')
    throw new PlatformError(
      'bad_answer',
      `The platform sends the request for ${describeSubject(subject)} to another host, which is not followed`,
    );
  to.searchParams.set('raw_json', '1');
  return { ...wire, url: to.toString() };
}
