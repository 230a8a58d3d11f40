import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Readable, Transform, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { OnApplicationShutdown } from '@nestjs/common';
import { type Agents, type ConnectionOptions, createAgents } from './agents.js';
import { allowsEverything, parseCidrs, type Cidr } from './address-guard.js';
import { decodedBody } from './content-encoding.js';
import { exchange, isStream, type OutboundBody, readBody } from './exchange.js';
import { utf8Header } from './utf8-header.js';
import { guardedLookup } from './guarded-lookup.js';
import { createNameResolver, type NameResolver } from './name-resolver.js';
import { openSocket } from './open-socket.js';
import { OutboundError, toOutboundError } from './outbound-error.js';
import { checkUrl, refuseUrl } from './url-guard.js';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const DEFAULT_MAX_BYTES = 65_536;

/** Limits and options of any outbound request. */
export interface OutboundLimits {
  /** Milliseconds for the whole request: resolving, waiting for a connection, sending, redirects, reading the body. */
  timeoutMs: number;
  /** Maximum number of followed redirects of a GET or HEAD; each address is checked like the first. Default 0. */
  maxRedirects?: number;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** A request to a URL given by a user. */
export interface OutboundRequest extends OutboundLimits {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  body?: OutboundBody;
  /** Maximum number of body bytes to read; the rest is discarded. Default 64 KiB. */
  maxBytes?: number;
}

/** Status and headers of a response. */
export interface OutboundHead {
  status: number;
  headers: IncomingHttpHeaders;
  /** The URL of the response, after redirects. */
  url: string;
}

/** A response with its body in memory. */
export interface OutboundResponse extends OutboundHead {
  body: Buffer;
  /** Whether the body was longer than `maxBytes`. */
  truncated: boolean;
  durationMs: number;
}

/** The result of a download. */
export interface OutboundDownload extends OutboundHead {
  bytes: number;
  durationMs: number;
}

/**
 * The HTTP client for URLs given by users. It connects only to public addresses and to ranges that the operator allows,
 * and checks every address that a name resolves to and every redirect; a proxy gets the checked address. It uses no cookies
 * and asks for no compression; bodies that are compressed nevertheless are decoded. Connections are pooled per host; a request that fails
 * or times out destroys its connection. Every method throws only {@link OutboundError}.
 */
export class OutboundHttpClient implements OnApplicationShutdown {
  private readonly allowed: readonly Cidr[];
  private readonly connections: ConnectionOptions;
  private readonly agents: Agents;

  /** Throws `ConfigurationError` for a malformed range. */
  constructor(allowedCidrs: readonly string[], resolve: NameResolver = createNameResolver()) {
    this.allowed = parseCidrs(allowedCidrs);
    this.connections = {
      connectTimeoutMs: 10_000,
      idleTimeoutMs: 15_000,
      maxSockets: 32,
      maxFreeSockets: 16,
      lookup: guardedLookup(resolve, this.allowed),
      checksAddresses: !allowsEverything(this.allowed),
    };
    this.agents = createAgents(this.connections);
  }

  /** Why a URL is refused, as a sentence for the user; null when it is accepted. */
  refuseUrl(url: string): string | null {
    return refuseUrl(url, this.allowed);
  }

  /** Sends a request and resolves with the response, whatever its status. */
  async request(request: OutboundRequest): Promise<OutboundResponse> {
    const startedAt = performance.now();
    return withDeadline(request, async (signal) => {
      const { response, url } = await this.follow(request, signal);
      const body = await readBody(decodedBody(response), request.maxBytes ?? DEFAULT_MAX_BYTES, signal);
      return { ...headOf(response, url), ...body, durationMs: performance.now() - startedAt };
    });
  }

  /**
   * Streams a body into the stream returned by `openSink`, which is called only for a 2xx response; any other response
   * resolves with 0 bytes. Throws `too_large` when the body exceeds `maxBytes`; the sink is destroyed on every failure.
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

  /**
   * Opens a connection for another protocol to the host and port of a URL, with TLS for https. It is guarded like requests
   * are, and the caller's from then on. The signal ends only the opening.
   */
  async openSocket(url: string, signal: AbortSignal): Promise<Socket> {
    const target = new URL(url);
    this.check(target);
    return openSocket(target, this.connections, signal);
  }

  /** Closes pooled connections. */
  close(): void {
    this.agents.close();
  }

  onApplicationShutdown(): void {
    this.close();
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
      const response = await exchange(
        { url, method: request.method, headers, body: request.body },
        this.agents,
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
    const refusal = checkUrl(url, this.allowed);
    if (refusal !== null) throw new OutboundError(refusal.code, `The address ${refusal.sentence}`);
  }
}

function baseHeaders({ headers, body }: OutboundRequest): Record<string, string> {
  return {
    'user-agent': 'workspace-scraping-service',
    accept: '*/*',
    'accept-encoding': 'identity',
    ...headers,
    ...(body === undefined ? {} : { 'content-length': String(sizeOf(body)) }),
  };
}

const sizeOf = (body: OutboundBody): number => (isStream(body) ? body.bytes : Buffer.byteLength(body));

function withoutCredentials(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !/^(authorization|cookie|proxy-authorization)$/i.test(name)),
  );
}

function redirectGoal(response: IncomingMessage, from: URL): URL | null {
  if (!REDIRECTS.has(response.statusCode ?? 0) || response.headers.location === undefined) return null;
  const location = utf8Header(response.headers.location);
  return URL.canParse(location, from.href) ? new URL(location, from.href) : null;
}

function headOf(response: IncomingMessage, url: URL): OutboundHead {
  return { status: response.statusCode ?? 0, headers: response.headers, url: url.href };
}

/** Writes a body into a sink and returns the number of bytes. */
async function pour(
  response: IncomingMessage,
  openSink: () => Writable,
  maxBytes: number,
  signal: AbortSignal,
): Promise<number> {
  const tooLarge = new OutboundError('too_large', `The response is larger than ${maxBytes} bytes`);
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
  const body = decodedBody(response);
  // The stream that fails first; the others are then destroyed with its error.
  let failed: Readable | Writable | null = null;
  for (const stream of [body, sink]) stream.once('error', () => (failed ??= stream));
  try {
    await pipeline(body, counter, sink, { signal });
  } catch (error) {
    if (signal.aborted) throw toOutboundError(signal.reason);
    if (error instanceof OutboundError) throw error;
    if (failed === sink)
      throw new OutboundError('sink_failed', 'The download could not be stored', { cause: error });
    throw toOutboundError(error);
  }
  return bytes;
}

/** Runs work with a signal that aborts on the timeout and with the caller's signal. */
async function withDeadline<T>(
  { timeoutMs, signal }: OutboundLimits,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new OutboundError('timeout', `No complete response within ${timeoutMs} ms`)),
    timeoutMs,
  );
  const onAbort = (): void => controller.abort(new OutboundError('aborted', 'The request was cancelled'));
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}
