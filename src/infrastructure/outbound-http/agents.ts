import { Agent as HttpAgent, type AgentOptions, type ClientRequestArgs } from 'node:http';
import { Agent as HttpsAgent, type RequestOptions } from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { openTunnel } from './proxy-tunnel.js';

/** Settings of pooled connections, per host. Times are in milliseconds. */
export interface ConnectionOptions {
  /** Time limit for resolving, connecting and the TLS handshake together; through a proxy, TLS has as long again. */
  connectTimeoutMs: number;
  /** Time after which an unused or silent connection is closed. */
  idleTimeoutMs: number;
  maxSockets: number;
  maxFreeSockets: number;
  /** Resolves names in place of the system. */
  lookup?: LookupFunction;
  /** Whether a proxy gets the address from `lookup` and not the name, which it could resolve to another address. */
  checksAddresses?: boolean;
}

/** Connections for both schemes. */
export interface AgentPair {
  http: HttpAgent;
  https: HttpsAgent;
}

/** Connection pools for both schemes. */
export interface Agents extends AgentPair {
  /** Opens a connection for each request. */
  unpooled: AgentPair;
  /** Closes all connections. */
  close(): void;
}

/** Maximum size of the headers of a response; Node's own of 16 KiB is too small for long policies and cookies. */
export const MAX_HEADER_BYTES = 128 * 1_024;
/** Idle time before TCP keepalive probes, which detect a peer that no longer responds. */
export const KEEPALIVE_DELAY_MS = 30_000;
/** Time limit for one address before the next one is tried. Node's default of 250 ms is too short for distant hosts. */
export const ADDRESS_ATTEMPT_MS = 2_000;

/**
 * Creates pools with a connect timeout and TCP keepalive. A connection that is not ready in time fails with ETIMEDOUT.
 * Connections go through the proxy of this process, if it has one.
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
    ...(options.lookup && { lookup: options.lookup }),
  };
  const pairOf = (own: AgentOptions): AgentPair => ({
    http: new TimedHttpAgent(own, options),
    https: new TimedHttpsAgent(own, options),
  });
  const pooled = pairOf(agentOptions);
  const unpooled = pairOf({ ...agentOptions, keepAlive: false });
  return {
    ...pooled,
    unpooled,
    close: () => {
      for (const { http, https } of [pooled, unpooled]) {
        http.destroy();
        https.destroy();
      }
    },
  };
}

type Callback = (error: Error | null, stream: Duplex) => void;

class TimedHttpAgent extends HttpAgent {
  constructor(
    options: AgentOptions,
    private readonly limits: ConnectionOptions,
  ) {
    super(options);
  }

  override createConnection(options: ClientRequestArgs, callback?: Callback): Duplex | null | undefined {
    const tunnel = tunnelFor(options, this.limits);
    if (tunnel === null)
      return withTimeout(super.createConnection(options, callback), 'connect', this.limits.connectTimeoutMs);
    return laterTo(callback, tunnel);
  }
}

class TimedHttpsAgent extends HttpsAgent {
  constructor(
    options: AgentOptions,
    private readonly limits: ConnectionOptions,
  ) {
    super(options);
  }

  override createConnection(options: RequestOptions, callback?: Callback): Duplex | null | undefined {
    const secured = (all: RequestOptions, done?: Callback): Duplex | null | undefined =>
      withTimeout(super.createConnection(all, done), 'secureConnect', this.limits.connectTimeoutMs);
    const tunnel = tunnelFor(options, this.limits);
    if (tunnel === null) return secured(options, callback);
    return laterTo(
      callback,
      tunnel.then((socket) => secured({ ...options, socket } as RequestOptions)!),
    );
  }
}

function tunnelFor(options: RequestOptions, limits: ConnectionOptions): Promise<Socket> | null {
  const opening = openTunnel(options, limits);
  return opening && opening.then((socket) => socket.setKeepAlive(true, KEEPALIVE_DELAY_MS));
}

/** Hands a connection over later, as an agent takes one that is not ready at once. */
function laterTo(callback: Callback | undefined, connection: Promise<Duplex>): undefined {
  connection.then(
    (stream) => callback?.(null, stream),
    (error: unknown) => (callback as ((error: unknown) => void) | undefined)?.(error),
  );
}

/** Destroys a socket that does not emit `readyEvent` in time. */
export function withTimeout(
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
