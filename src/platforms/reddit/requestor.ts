import * as http from 'node:http';
import * as https from 'node:https';
import { type Duplex } from 'node:stream';
import axios, { type AxiosInstance, type AxiosResponse, isAxiosError } from 'axios';

/** A request to an address that the configuration named; `body` is sent as a form. */
export interface WireRequest {
  method: 'GET' | 'POST';
  url: string;
  body: URLSearchParams | null;
  /** `Authorization`, when there is one to send. */
  authorization: string | null;
}

/** Any whole answer, whatever its status. Headers that say nothing are null. */
export interface WireResponse {
  status: number;
  text: string;
  headers: {
    location: string | null;
    retryAfter: string | null;
    remaining: string | null;
    used: string | null;
    reset: string | null;
    authenticate: string | null;
  };
}

/** No whole answer came. `message` is short and holds no address. */
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

export interface RequestorLimits {
  connectMs: number;
  /** From sending to the last byte, so that a body that trickles ends too. */
  totalMs: number;
  maxBytes: number;
}

export const REQUESTOR_LIMITS: RequestorLimits = {
  connectMs: 10_000,
  totalMs: 60_000,
  maxBytes: 16 * 1_024 * 1_024,
};

/** Sends one request over kept-alive connections and hands back what came, judging nothing. Redirects are not followed. */
export class Requestor {
  private readonly agents: [http.Agent, https.Agent];
  private readonly client: AxiosInstance;

  constructor(
    userAgent: string,
    private readonly limits: RequestorLimits = REQUESTOR_LIMITS,
  ) {
    const options = { keepAlive: true, keepAliveMsecs: 1_000, maxSockets: 64, timeout: limits.totalMs };
    const httpAgent = withConnectTimeout(new http.Agent(options), 'connect', limits.connectMs);
    const httpsAgent = withConnectTimeout(new https.Agent(options), 'secureConnect', limits.connectMs);
    this.agents = [httpAgent, httpsAgent];
    this.client = axios.create({
      httpAgent,
      httpsAgent,
      maxRedirects: 0,
      maxContentLength: limits.maxBytes,
      maxBodyLength: limits.maxBytes,
      proxy: false,
      responseType: 'text',
      // The default would try to parse, and hide a body that was cut short.
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
        ...(request.body ? { data: request.body } : {}),
        ...(request.authorization ? { headers: { Authorization: request.authorization } } : {}),
        signal: stop.signal,
      });
      return toAnswer(response);
    } catch (error) {
      signal.throwIfAborted();
      if (expired)
        throw new TransportError('network', `no whole answer within ${this.limits.totalMs} ms`, {
          cause: error,
        });
      throw toFault(error);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }

  close(): void {
    for (const agent of this.agents) agent.destroy();
  }
}

function toAnswer(response: AxiosResponse<unknown>): WireResponse {
  const header = (name: string): string | null => {
    const value: unknown = response.headers[name];
    return typeof value === 'string' ? value : null;
  };
  return {
    status: response.status,
    text: typeof response.data === 'string' ? response.data : '',
    headers: {
      location: header('location'),
      retryAfter: header('retry-after'),
      remaining: header('x-ratelimit-remaining'),
      used: header('x-ratelimit-used'),
      reset: header('x-ratelimit-reset'),
      authenticate: header('www-authenticate'),
    },
  };
}

function toFault(error: unknown): TransportError {
  if (!isAxiosError(error)) return new TransportError('network', 'the connection failed', { cause: error });
  if (/maxContentLength/.test(error.message))
    return new TransportError('too_large', 'the answer is larger than the cap', { cause: error });
  const code = error.code ?? 'the connection failed';
  // The cause would carry the request's headers, and with them the token, into a log.
  return new TransportError('network', code);
}

type Connecting = { createConnection: (...parameters: never[]) => Duplex | null | undefined };

/** Ends a connection that is not up in time; the agent's own time-out starts only when it is. */
function withConnectTimeout<A extends http.Agent>(
  agent: A,
  ready: 'connect' | 'secureConnect',
  ms: number,
): A {
  const target = agent as unknown as Connecting;
  const connect = target.createConnection.bind(agent);
  target.createConnection = (...parameters) => {
    const socket = connect(...parameters);
    if (!socket) return socket;
    const timer = setTimeout(() => socket.destroy(new Error(`not connected within ${ms} ms`)), ms);
    const stop = () => clearTimeout(timer);
    socket.once(ready, stop).once('close', stop);
    return socket;
  };
  return agent;
}
