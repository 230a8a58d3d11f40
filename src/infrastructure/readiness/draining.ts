import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

/** Time for probes and clients to notice the shutdown before the server stops accepting connections. */
const NOTICE_MS = 500;
/** Requests still running after this time are cut off, so that the process exits within 5 s of SIGTERM. */
const CUT_AFTER_MS = 4_000;

/**
 * Shuts the HTTP server down: readiness returns 503 and responses close their connections, then the server stops
 * accepting connections, and finally the remaining requests are cut off.
 */
@Injectable()
export class Draining implements BeforeApplicationShutdown {
  /** Whether the shutdown has begun. */
  hasBegun = false;

  constructor(private readonly adapters: HttpAdapterHost) {}

  /** `signal` is absent when code closes the application, in which case clients need no notice. */
  async beforeApplicationShutdown(signal?: string): Promise<void> {
    this.hasBegun = true;
    const server = this.adapters.httpAdapter.getHttpServer() as Server;
    setTimeout(() => server.closeAllConnections(), CUT_AFTER_MS).unref();
    if (signal !== undefined) await sleep(NOTICE_MS);
  }
}
