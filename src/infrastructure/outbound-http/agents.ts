import { Agent as HttpAgent, type AgentOptions, type ClientRequestArgs } from 'node:http';
import { Agent as HttpsAgent, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';

/** Settings of pooled connections, per host. Times are in milliseconds. */
export interface ConnectionOptions {
  /** Time limit for resolving, connecting and the TLS handshake together. */
  connectTimeoutMs: number;
  /** Time after which an unused or silent connection is closed. */
  idleTimeoutMs: number;
  maxSockets: number;
  maxFreeSockets: number;
}

/** Connection pools for both schemes. */
export interface Agents {
  http: HttpAgent;
  https: HttpsAgent;
  /** Closes all connections. */
  close(): void;
}

/** Maximum size of the headers of a response; Node's own of 16 KiB is too small for long policies and cookies. */
export const MAX_HEADER_BYTES = 128 * 1_024;

/** Idle time before TCP keepalive probes, which detect a peer that no longer responds. */
const KEEPALIVE_DELAY_MS = 30_000;
/** Time limit for one address before the next one is tried. Node's default of 250 ms is too short for distant hosts. */
const ADDRESS_ATTEMPT_MS = 2_000;

/**
 * Creates pools with a connect timeout and TCP keepalive. A connection that is not ready in time fails with ETIMEDOUT.
 */
export function createAgents(options: ConnectionOptions): Agents {
  const agentOptions: AgentOptions = {
    keepAlive: true,
    keepAliveInitialDelay: KEEPALIVE_DELAY_MS,
    maxSockets: options.maxSockets,
    maxFreeSockets: options.maxFreeSockets,
    timeout: options.idleTimeoutMs,
    scheduling: 'lifo',
    autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
  };
  const http = new TimedHttpAgent(agentOptions, options.connectTimeoutMs);
  const https = new TimedHttpsAgent(agentOptions, options.connectTimeoutMs);
  return {
    http,
    https,
    close: () => {
      http.destroy();
      https.destroy();
    },
  };
}

type Callback = (error: Error | null, stream: Duplex) => void;

class TimedHttpAgent extends HttpAgent {
  constructor(
    options: AgentOptions,
    private readonly connectTimeoutMs: number,
  ) {
    super(options);
  }

  override createConnection(options: ClientRequestArgs, callback?: Callback): Duplex | null | undefined {
    return withTimeout(super.createConnection(options, callback), 'connect', this.connectTimeoutMs);
  }
}

class TimedHttpsAgent extends HttpsAgent {
  constructor(
    options: AgentOptions,
    private readonly connectTimeoutMs: number,
  ) {
    super(options);
  }

  override createConnection(options: RequestOptions, callback?: Callback): Duplex | null | undefined {
    return withTimeout(super.createConnection(options, callback), 'secureConnect', this.connectTimeoutMs);
  }
}

/** Destroys a socket that does not emit `readyEvent` in time. */
function withTimeout(
  socket: Duplex | null | undefined,
  readyEvent: 'connect' | 'secureConnect',
  milliseconds: number,
): Duplex | null | undefined {
  if (!socket) return socket;
  const timer = setTimeout(() => {
    const error = new Error(`No connection within ${milliseconds} ms`);
    socket.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
  }, milliseconds);
  const stop = (): void => clearTimeout(timer);
  socket.once(readyEvent, stop).once('close', stop);
  return socket;
}
