import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SyntheticStream } from '../bluesky/synthetic-stream.js';
import type { FaultOptions, SandboxOptions } from '../options.js';
import { RequestHandler } from './request-handler.js';
import type { SandboxStats } from './stats.js';

/** Longer than any client keeps an idle socket, so that a reused socket is never closed during a request. */
const KEEP_ALIVE_MS = 120_000;

/** A running synthetic platform. */
export interface Sandbox {
  /** `http://host:port`, for listings, tokens and media; the archive is below `/archive`. */
  baseUrl: string;
  port: number;
  stats(): SandboxStats;
  resetStats(): void;
  /** Injects faults from the next request on; null stops injecting. */
  setFaults(faults: FaultOptions | null): void;
  /** Stops the server and closes open connections. */
  close(): Promise<void>;
}

/** Starts the synthetic platform. Rejects when the port is in use or an option is out of range. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const handler = new RequestHandler(options);
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    void handler.handle(request, response);
  });
  const stream = new SyntheticStream(() => handler.state.bluesky.posts);
  server.on('upgrade', (request, socket, head) => stream.connect(request, socket, head));
  const host = options.host ?? '127.0.0.1';
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    stats: () => handler.stats.read(),
    resetStats: () => handler.stats.reset(),
    setFaults: (faults) => handler.setFaults(faults),
    close: () =>
      new Promise((resolve) => {
        stream.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
