import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';

/** Time in which probes and clients see the shutdown before the server stops accepting connections. */
const NOTICE_MS = 500;
/** Requests that still run then are cut, so that a process ends within 5 s of SIGTERM. */
const CUT_AFTER_MS = 4_000;

/**
 * The shutdown of the HTTP server: readiness answers 503 and responses close their connections, then the server stops accepting
 * connections, then what is left is cut.
 */
@Injectable()
export class Draining implements BeforeApplicationShutdown {
  /** Whether the shutdown has begun. */
  hasBegun = false;

  constructor(private readonly adapters: HttpAdapterHost) {}

  /** `signal` is absent when the application is closed by its own code, which needs no notice. */
  async beforeApplicationShutdown(signal?: string): Promise<void> {
    this.hasBegun = true;
    const server = this.adapters.httpAdapter.getHttpServer() as Server;
    setTimeout(() => server.closeAllConnections(), CUT_AFTER_MS).unref();
    if (signal !== undefined) await sleep(NOTICE_MS);
  }
}
