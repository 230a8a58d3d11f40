import { createServer, IncomingMessage, ServerResponse } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import type { Express, Response as ExpressResponse } from 'express';
import { compressed, encodingFor, isCompressible } from './compressed-body.js';
import { isDivisible, jsonInTurns } from '../changes/json-in-turns.js';
import { nextLink } from '../pages/next-link.js';

/**
 * Nest's adapter for Express with a server that creates requests and responses with the prototypes of Express. Express
 * would otherwise change the prototypes of each of them. In Node.js 20 that costs more than all its other work, and such
 * objects outlive the garbage collection of the young generation (docs/benchmarks.md, `requests`). Bodies are
 * compressed as the client accepts, lists link to their next page, and long ones are written in slices.
 */
export class ExpressServer extends ExpressAdapter {
  override initHttpServer(): void {
    const express = this.getInstance<Express>();
    class Request extends IncomingMessage {}
    class Response extends ServerResponse<Request> {}
    express.request = withMembersOf(express.request, Request.prototype);
    express.response = withMembersOf(compressing(express.response), Response.prototype);
    this.setHttpServer(createServer({ IncomingMessage: Request, ServerResponse: Response }, express));
  }

  override reply(response: ExpressResponse, body: unknown, statusCode?: number): unknown {
    const link = nextLink(response.req.originalUrl, body);
    if (link !== null) response.append('Link', link);
    if (!isDivisible(body)) return super.reply(response, body, statusCode) as unknown;
    if (response.get('Content-Type') === undefined) response.type('json');
    const json = jsonInTurns(body);
    if (typeof json === 'string') return super.reply(response, json, statusCode) as unknown;
    return json.then(({ bytes, entityTag }) => {
      if (statusCode !== undefined) response.status(statusCode);
      return response.set('ETag', entityTag).send(bytes);
    });
  }
}

/** The prototype, which inherits from `members` from now on. */
const withMembersOf = <T extends object>(members: T, prototype: object): T =>
  Object.setPrototypeOf(prototype, members) as T;

/** The members of a response, whose `send` compresses texts, and bytes of texts. The entity tag is that of the text itself. */
function compressing(members: ExpressResponse): ExpressResponse {
  // Called with the response as `this` below.

  const { send } = members;
  members.send = function (this: ExpressResponse, body?: unknown): ExpressResponse {
    // Downloads keep their bytes.
    if (!(typeof body === 'string' || Buffer.isBuffer(body)) || this.get('Content-Disposition') !== undefined)
      return send.call(this, body);
    const type = String(this.get('Content-Type') ?? '');
    const encoding = encodingFor(
      this.req,
      { type, encoding: this.get('Content-Encoding') },
      Buffer.byteLength(body),
    );
    if (isCompressible(type)) this.vary('Accept-Encoding');
    if (encoding === null) return send.call(this, body);
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    if (this.get('ETag') === undefined) {
      const tag = (this.app.get('etag fn') as ((body: Buffer) => string) | undefined)?.(bytes);
      if (tag !== undefined) this.set('ETag', tag);
    }
    // Answers 304 without a body.
    if (this.req.fresh) return send.call(this, body);
    this.set('Content-Encoding', encoding);
    compressed(bytes, encoding).then(
      (smaller) => this.set('Content-Length', String(smaller.length)).end(smaller),
      (error: Error) => this.destroy(error),
    );
    return this;
  };
  return members;
}
