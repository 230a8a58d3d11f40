import {
  type ClientRequest,
  type IncomingMessage,
  request as httpRequest,
  type RequestOptions,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import axios, { type AxiosInstance, type AxiosResponse, isAxiosError } from 'axios';
import { type Agents, createAgents, MAX_HEADER_BYTES } from '../../infrastructure/outbound-http/agents.js';
import { OutboundError } from '../../infrastructure/outbound-http/outbound-error.js';
import { utf8Header } from '../../infrastructure/outbound-http/utf8-header.js';
import { type LimitHeaders, limitHeaders } from './limit-headers.js';

/** A request to an address from the configuration; `body` is sent as a form. */
export interface WireRequest {
  method: 'GET' | 'POST';
  url: string;
  body: URLSearchParams | null;
  /** A JSON text that is sent in place of a form. */
  json?: string;
  /** The `Authorization` header, if any. */
  authorization: string | null;
  /** For a document that is no JSON: further headers, and the most bytes of its body. */
  page?: { headers: Record<string, string>; maxBytes: number };
}

/** A complete response of any status. Absent headers are null. */
export interface WireResponse {
  status: number;
  text: string;
  headers: LimitHeaders & {
    location: string | null;
    retryAfter: string | null;
    authenticate: string | null;
    link: string | null;
  };
  /** The body as received, and any header by its name in lower case; only for a request with `page`. */
  page?: { body: Buffer; header: (name: string) => string | null };
}

/** A request without a complete response. `message` is short and contains no address. */
export class TransportError extends Error {
  constructor(
    readonly kind: 'network' | 'too_large',
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = 'TransportError';
  }
}

/** Limits of one request. */
export interface RequestorLimits {
  /** Milliseconds until the connection is ready, TLS included. */
  connectMs: number;
  /** Milliseconds from sending to the last byte, so that a trickling body times out too. */
  totalMs: number;
  maxBytes: number;
}

/** Limits of requests to the platform and the archive. */
export const REQUESTOR_LIMITS: RequestorLimits = {
  connectMs: 10_000,
  totalMs: 60_000,
  maxBytes: 16 * 1_024 * 1_024,
};

/** Sends single requests. */
export interface RequestSender {
  readonly limits: RequestorLimits;
  /** Throws {@link TransportError}, or the signal's reason when it aborts. */
  send(request: WireRequest, signal: AbortSignal): Promise<WireResponse>;
}

/** Sends single requests over pooled connections. Responses are returned unchanged; redirects are not followed. */
export class Requestor implements RequestSender {
  private readonly agents: Agents;
  private readonly client: AxiosInstance;

  constructor(
    userAgent: string,
    readonly limits: RequestorLimits = REQUESTOR_LIMITS,
  ) {
    this.agents = createAgents({
      connectTimeoutMs: limits.connectMs,
      idleTimeoutMs: limits.totalMs,
      maxSockets: 64,
      maxFreeSockets: 64,
    });
    this.client = axios.create({
      httpAgent: this.agents.http,
      httpsAgent: this.agents.https,
      maxRedirects: 0,
      transport: { request: withLongHeaders },
      maxContentLength: limits.maxBytes,
      maxBodyLength: limits.maxBytes,
      proxy: false,
      responseType: 'text',
      // The default would parse JSON and hide a truncated body.
      transformResponse: (body: unknown) => body,
      validateStatus: () => true,
      headers: { 'User-Agent': userAgent, Accept: 'application/json' },
    });
  }

  /** Throws {@link TransportError}, or the signal's reason when it aborts. */
  async send(request: WireRequest, signal: AbortSignal): Promise<WireResponse> {
    signal.throwIfAborted();
    const stop = new AbortController();
    const onAbort = () => stop.abort();
    signal.addEventListener('abort', onAbort, { once: true });
    let expired = false;
    const timer = setTimeout(() => {
      expired = true;
      stop.abort();
    }, this.limits.totalMs);
    try {
      const response = await this.client.request<unknown>({
        method: request.method,
        url: request.url,
        data: request.json ?? request.body ?? undefined,
        headers: {
          ...(request.authorization !== null && { Authorization: request.authorization }),
          ...(request.json !== undefined && { 'Content-Type': 'application/json' }),
        },
        signal: stop.signal,
      });
      return toResponse(response);
    } catch (error) {
      signal.throwIfAborted();
      if (expired)
        throw new TransportError('network', `no complete response within ${this.limits.totalMs} ms`, {
          cause: error,
        });
      throw toFault(error);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Closes all connections. */
  close(): void {
    this.agents.close();
  }
}

/** Sends as Node.js does, but accepts longer headers, for which axios has no option. */
function withLongHeaders(
  options: RequestOptions,
  handle: (response: IncomingMessage) => void,
): ClientRequest {
  const open = options.protocol === 'https:' ? httpsRequest : httpRequest;
  return open({ ...options, maxHeaderSize: MAX_HEADER_BYTES }, handle);
}

function toResponse(response: AxiosResponse<unknown>): WireResponse {
  const header = (name: string): string | null => {
    const value: unknown = response.headers[name];
    return typeof value === 'string' ? utf8Header(value) : null;
  };
  return {
    status: response.status,
    text: typeof response.data === 'string' ? response.data : '',
    headers: {
      location: header('location'),
      retryAfter: header('retry-after'),
      ...limitHeaders(header),
      authenticate: header('www-authenticate'),
      link: header('link'),
    },
  };
}

function toFault(error: unknown): TransportError {
  if (!isAxiosError(error)) return new TransportError('network', 'the connection failed', { cause: error });
  if (/maxContentLength/.test(error.message))
    return new TransportError('too_large', 'the response is larger than the limit', { cause: error });
  if (error.cause instanceof OutboundError) return new TransportError('network', error.cause.message);
  const code = error.code ?? 'the connection failed';
  // A cause would put the request's headers, which contain the token, into a log.
  return new TransportError('network', code);
}
