import { Agent as HttpAgent, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, type AgentOptions } from 'node:https';
import type { LookupFunction } from 'node:net';
import { Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseCidrs, type Cidr } from './address-guard.js';
import { exchange, readBody } from './exchange.js';
import { guardedLookup, systemResolver, type Resolver } from './guarded-lookup.js';
import { OutboundError, toOutboundError } from './outbound-error.js';
import { judgeUrl, refuseUrl } from './url-guard.js';

const POOL: AgentOptions = {
  keepAlive: true,
  maxSockets: 32,
  maxFreeSockets: 16,
  /** How long an unused connection is kept, in milliseconds. */
  timeout: 15_000,
  scheduling: 'lifo',
  /** Time given to one address before the next is tried; Node's 250 ms gives up on distant hosts. */
  autoSelectFamilyAttemptTimeout: 2_000,
};
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const DEFAULT_MAX_BYTES = 65_536;

export interface OutboundLimits {
  /** For everything together: resolving, waiting for a connection, sending, every redirect, the last body byte. */
  timeoutMs: number;
  /** How many redirects of a GET or HEAD are followed, each checked like the first address. Default 0. */
  maxRedirects?: number;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export interface OutboundRequest extends OutboundLimits {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  body?: string | Buffer;
  /** More of the body is not read. Default 64 KiB. */
  maxBytes?: number;
}

export interface OutboundHead {
  status: number;
  headers: IncomingHttpHeaders;
  /** Where the answer came from, after redirects. */
  url: string;
}

export interface OutboundResponse extends OutboundHead {
  body: Buffer;
  /** The body went on past `maxBytes`. */
  truncated: boolean;
  durationMs: number;
}

export interface OutboundDownload extends OutboundHead {
  bytes: number;
  durationMs: number;
}

/**
 * The one HTTP client for addresses that users give. It connects to public addresses and to the ranges of the
 * operator only, whatever a name resolves to and wherever a redirect leads; it knows no proxy, no cookie, no
 * compression. Connections are pooled per host. Every method throws {@link OutboundError} and nothing else.
 */
export class OutboundHttpClient {
  private readonly allowed: readonly Cidr[];
  private readonly lookup: LookupFunction;
  private readonly http = new HttpAgent(POOL);
  private readonly https = new HttpsAgent(POOL);

  /** Throws `ConfigurationError` when a range is not one. */
  constructor(allowedCidrs: readonly string[], resolve: Resolver = systemResolver()) {
    this.allowed = parseCidrs(allowedCidrs);
    this.lookup = guardedLookup(resolve, this.allowed);
  }

  /** Why an address would be refused, as a sentence for its giver; null when it may be used. */
  refuseUrl(url: string): string | null {
    return refuseUrl(url, this.allowed);
  }

  /** Any answer resolves, whatever its status. */
  async request(request: OutboundRequest): Promise<OutboundResponse> {
    const startedAt = performance.now();
    return withDeadline(request, async (signal) => {
      const { response, url } = await this.follow(request, signal);
      const body = await readBody(response, request.maxBytes ?? DEFAULT_MAX_BYTES, signal);
      return { ...headOf(response, url), ...body, durationMs: performance.now() - startedAt };
    });
  }

  /**
   * Streams a body into the stream that `openSink` gives. It is asked for only when the answer is a 2xx; any other
   * answer resolves with 0 bytes. Throws `too_large` past `maxBytes`; the sink is destroyed on every failure.
   */
  async download(
    url: string,
    openSink: (head: OutboundHead) => Writable,
    limits: OutboundLimits & { maxBytes: number },
  ): Promise<OutboundDownload> {
    const startedAt = performance.now();
    return withDeadline(limits, async (signal) => {
      const { response, url: lastUrl } = await this.follow({ ...limits, method: 'GET', url }, signal);
      const head = headOf(response, lastUrl);
      let bytes = 0;
      if (head.status >= 200 && head.status < 300)
        bytes = await pour(response, () => openSink(head), limits.maxBytes, signal);
      else response.destroy();
      return { ...head, bytes, durationMs: performance.now() - startedAt };
    });
  }

  /** Closes pooled connections. */
  close(): void {
    this.http.destroy();
    this.https.destroy();
  }

  private async follow(
    request: OutboundRequest,
    signal: AbortSignal,
  ): Promise<{ response: IncomingMessage; url: URL }> {
    if (!URL.canParse(request.url)) throw new OutboundError('invalid_url', 'The address is not a valid URL');
    const followable = request.method === 'GET' || request.method === 'HEAD';
    const maxRedirects = followable ? (request.maxRedirects ?? 0) : 0;
    let url = new URL(request.url);
    let headers = baseHeaders(request);
    for (let followed = 0; ; followed += 1) {
      this.check(url);
      const agent = url.protocol === 'https:' ? this.https : this.http;
      const response = await exchange(
        { url, method: request.method, headers, body: request.body },
        agent,
        this.lookup,
        signal,
      );
      const goal = redirectGoal(response, url);
      if (goal === null || maxRedirects === 0) return { response, url };
      response.destroy();
      if (followed === maxRedirects)
        throw new OutboundError(
          'too_many_redirects',
          `The address redirects more than ${maxRedirects} times`,
        );
      if (goal.origin !== url.origin) headers = withoutCredentials(headers);
      url = goal;
    }
  }

  private check(url: URL): void {
    const refusal = judgeUrl(url, this.allowed);
    if (refusal !== null) throw new OutboundError(refusal.code, `The address ${refusal.sentence}`);
  }
}

function baseHeaders({ headers, body }: OutboundRequest): Record<string, string> {
  return {
    'user-agent': 'workspace-scraping-service',
    accept: '*/*',
    'accept-encoding': 'identity',
    ...headers,
    ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
  };
}

function withoutCredentials(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(authorization|cookie|proxy-authorization)$/i.test(name)),
  );
}

function redirectGoal(response: IncomingMessage, from: URL): URL | null {
  const location = response.headers.location;
  if (!REDIRECTS.has(response.statusCode ?? 0) || location === undefined) return null;
  return URL.canParse(location, from.href) ? new URL(location, from.href) : null;
}

function headOf(response: IncomingMessage, url: URL): OutboundHead {
  return { status: response.statusCode ?? 0, headers: response.headers, url: url.href };
}

/** Writes a body into a sink, counting. Returns the number of bytes. */
async function pour(
  response: IncomingMessage,
  openSink: () => Writable,
  maxBytes: number,
  signal: AbortSignal,
): Promise<number> {
  const tooLarge = new OutboundError('too_large', `The answer is larger than ${maxBytes} bytes`);
  if (Number(response.headers['content-length']) > maxBytes) {
    response.destroy();
    throw tooLarge;
  }
  let bytes = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > maxBytes) done(tooLarge);
      else done(null, chunk);
    },
  });
  let sink: Writable;
  try {
    sink = openSink();
  } catch (error) {
    response.destroy();
    throw new OutboundError('sink_failed', 'The download could not be stored', { cause: error });
  }
  let sinkError: Error | null = null;
  sink.once('error', (error) => (sinkError = error));
  try {
    await pipeline(response, counter, sink, { signal });
  } catch (error) {
    if (signal.aborted) throw toOutboundError(signal.reason);
    if (error instanceof OutboundError) throw error;
    if (error === sinkError)
      throw new OutboundError('sink_failed', 'The download could not be stored', { cause: error });
    throw toOutboundError(error);
  }
  return bytes;
}

/** Runs work under one signal that the time-out and the caller share. */
async function withDeadline<T>(
  { timeoutMs, signal }: OutboundLimits,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(
    () =>
      controller.abort(new OutboundError('timeout', `There was no complete answer within ${timeoutMs} ms`)),
    timeoutMs,
  );
  const onAbort = (): void => controller.abort(new OutboundError('aborted', 'The request was called off'));
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}
