import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express } from 'express';

/**
 * Nest's adapter for Express with a server that creates requests and responses with the prototypes of Express. Express
 * would otherwise change the prototypes of each of them. In Node.js 20 that costs more than all its other work, and such
 * objects outlive the garbage collection of the young generation (docs/benchmarks.md, `requests`).
 */
export class ExpressServer extends ExpressAdapter {
  override initHttpServer(): void {
    const express = this.getInstance<Express>();
    class Request extends IncomingMessage {}
    class Response extends ServerResponse<Request> {}
    express.request = withMembersOf(express.request, Request.prototype);
    express.response = withMembersOf(express.response, Response.prototype);
    this.setHttpServer(createServer({ IncomingMessage: Request, ServerResponse: Response }, express));
  }
}

/** The prototype, which inherits from `members` from now on. */
const withMembersOf = <T extends object>(members: T, prototype: object): T =>
  Object.setPrototypeOf(prototype, members) as T;
