import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { mediaFile } from '../media/media-files.js';
import type { FaultKind, FaultOptions, SandboxOptions } from '../options.js';
import { escapeEntities, keep } from '../wire/things.js';
import { fraction, hash } from '../data/random.js';
import {
  type Answer,
  badRequest,
  blockPage,
  json,
  type Outcome,
  tooManyRequests,
  unauthorized,
  unavailable,
} from './answer.js';
import { Budget } from './budget.js';
import { Control, isControl } from './control.js';
import { PlatformState } from './platform-state.js';
import { findRoute, type Route } from './route-table.js';
import { StatsCounter } from './stats.js';
import { Tokens } from './access-tokens.js';

/** Routes that never get injected faults. */
const WITHOUT_FAULTS = new Set(['token', 'media']);
const FORM_LIMIT_BYTES = 64 * 1024;

/** A parsed request, with the parameters of query and form together. */
interface Call {
  method: string;
  path: string;
  params: URLSearchParams;
  authorization: string | undefined;
  body: string;
  origin: string;
  /** Identifies the request: equal for repeated attempts. */
  key: string;
}

/** Applies latency, faults, token and budget to a request, calls its route and sends the response. */
export class RequestHandler {
  readonly stats = new StatsCounter();
  readonly state: PlatformState;
  private readonly controls: Control;
  private readonly tokens: Tokens;
  private readonly budget: Budget | null;
  private sequence = 0;

  constructor(private readonly options: SandboxOptions) {
    const now = options.now ?? Date.now;
    this.state = new PlatformState(options);
    this.controls = new Control(this.state, this.stats, options);
    this.tokens = new Tokens({
      ttlSeconds: options.tokenTtlSeconds ?? 86_400,
      requestsPerToken: options.expireTokenAfterRequests ?? null,
      now,
    });
    this.budget =
      options.requestsPerMinute == null
        ? null
        : new Budget(options.requestsPerMinute, options.windowSeconds ?? 600, now);
  }

  setFaults(faults: FaultOptions | null): void {
    this.state.setFaults(faults);
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const began = performance.now();
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    try {
      if (isControl(request)) return this.send(response, await this.controls.answer(request), false);
      const call = await readCall(request);
      if (call === null) return this.send(response, badRequest());
      if (call.path.startsWith('/__')) return this.control(call, response);
      const route = this.routeOf(call);
      this.stats.begin(route.name);
      response.once('close', () => this.stats.end(route.name));
      await this.answer(call, route, response, (extraMs) => this.delay(began, extraMs, gone.signal));
    } catch (error) {
      // The client disconnected while sending or waiting, so no response is needed.
      if (!gone.signal.aborted && !request.destroyed) throw error;
    }
  }

  private async answer(
    call: Call,
    route: Route,
    response: ServerResponse,
    delay: (extraMs: number) => Promise<void>,
  ): Promise<void> {
    const fault = WITHOUT_FAULTS.has(route.name) ? null : (this.state.faults?.next(call.key) ?? null);
    if (fault !== null) this.stats.fault(fault);
    if (fault !== null && fault !== 'slow') {
      await delay(0);
      return this.fail(fault, () => this.outcome(call, route), response);
    }
    const outcome = this.outcome(call, route);
    await delay(fault === 'slow' ? this.state.faults!.slowMs : 0);
    if (outcome !== 'hang') this.send(response, outcome);
  }

  private outcome(call: Call, route: Route): Outcome {
    const context = {
      data: this.state.data,
      origin: call.origin,
      escape: call.params.get('raw_json') === '1' ? keep : escapeEntities,
    };
    if (route.access === 'open') return route.answer(context);
    const client = this.tokens.use(call.authorization);
    if (client === null) return unauthorized();
    const spending = this.budget?.spend(client);
    if (spending && !spending.allowed) return { status: 429, headers: spending.headers, body: '' };
    const outcome = route.answer(context);
    if (outcome === 'hang' || !spending || outcome.status === 429) return outcome;
    return { ...outcome, headers: { ...outcome.headers, ...spending.headers } };
  }

  private fail(fault: Exclude<FaultKind, 'slow'>, whole: () => Outcome, response: ServerResponse): void {
    switch (fault) {
      case '429':
        return this.send(response, tooManyRequests(this.state.faults?.retryAfterSeconds ?? 1));
      case '500':
      case '503':
        return this.send(response, unavailable(fault === '500' ? 500 : 503));
      case 'html':
        return this.send(response, blockPage());
      case 'reset':
        response.socket?.resetAndDestroy();
        return;
      case 'truncate':
        return this.truncate(whole(), response);
    }
  }

  private truncate(outcome: Outcome, response: ServerResponse): void {
    if (outcome === 'hang') return;
    const body = Buffer.from(outcome.body);
    response.writeHead(outcome.status, { ...outcome.headers, 'content-length': Math.max(2, body.length) });
    response.write(body.subarray(0, body.length >>> 1), () => response.socket?.destroy());
  }

  private routeOf({ path, params, authorization, body, origin }: Call): Route {
    const { tokens } = this;
    const { archive, data, api, feeds, further } = this.state;
    if (path === '/api/v1/access_token')
      return { name: 'token', access: 'open', answer: () => tokens.grant(authorization, params) };
    if (path.startsWith('/media/'))
      return { name: 'media', access: 'open', answer: () => mediaFile(path, data.seed) };
    if (path === '/archive/api/posts/search')
      return { name: 'archive/posts', access: 'open', answer: (context) => archive.posts(params, context) };
    if (path === '/archive/api/comments/search')
      return {
        name: 'archive/comments',
        access: 'open',
        answer: (context) => archive.comments(params, context),
      };
    const base = Object.keys(further).find((one) => path.startsWith(one));
    if (base !== undefined)
      return {
        name: path.slice(1).split('/').slice(0, 4).join('/').replace(/\d+/, 'ID'),
        access: 'open',
        answer: () =>
          further[base]!.answer(path.slice(base.length), params, {
            base: `${origin}${base}`,
            authorization,
            body,
          }),
      };
    const [, feed] = /^(\/.*?)\/?\.rss$/.exec(path) ?? [];
    if (feed !== undefined)
      return {
        name: feedName(feed),
        access: 'open',
        answer: (context) => feeds.answer(decodeURIComponent(feed), params, context),
      };
    return findRoute(path, params, api);
  }

  /** The sandbox's own pages, used by tests and benchmarks in other processes. */
  private control(call: Call, response: ServerResponse): void {
    if (call.path === '/__reset') this.stats.reset();
    this.send(response, json(200, this.stats.read()), false);
  }

  /** Waits until the configured latency has passed since `began`. */
  private async delay(began: number, extraMs: number, gone: AbortSignal): Promise<void> {
    const { latencyMs = 0, jitterMs = 0, seed = 1 } = this.options;
    const jitter = jitterMs * fraction(hash(seed, 91, this.sequence++));
    const left = latencyMs + jitter + extraMs - (performance.now() - began);
    if (left > 0) await sleep(left, undefined, { signal: gone });
  }

  private send(response: ServerResponse, answer: Answer, counted = true): void {
    const length = Buffer.byteLength(answer.body);
    if (counted) this.stats.answered(answer.status, length);
    response.writeHead(answer.status, { ...answer.headers, 'content-length': length });
    response.end(answer.body);
  }
}

/** The name of a feed of the platform in the statistics. */
const feedName = (path: string): string =>
  path.startsWith('/comments/') ? 'rss/thread' : path.endsWith('/comments') ? 'rss/comments' : 'rss/posts';

/** Parses address and form. Null when either is malformed or the form is too large. */
async function readCall(request: IncomingMessage): Promise<Call | null> {
  const method = request.method ?? 'GET';
  const target = request.url ?? '/';
  let form = '';
  for await (const chunk of request.setEncoding('utf8')) {
    form += chunk as string;
    if (form.length > FORM_LIMIT_BYTES) return null;
  }
  const address = `http://${request.headers.host ?? 'localhost'}`;
  if (!URL.canParse(target, address)) return null;
  const { pathname, searchParams, origin } = new URL(target, address);
  for (const [name, value] of new URLSearchParams(form)) searchParams.append(name, value);
  return {
    method,
    path: pathname,
    params: searchParams,
    authorization: request.headers.authorization,
    body: form,
    origin,
    key: `${method} ${target} ${form}`,
  };
}
