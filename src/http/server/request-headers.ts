import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Client request ids that are safe in logs and headers. */
const VALID_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** Distinguishes this process from others without naming its machine. */
const PROCESS_NAME = randomBytes(4).toString('hex');

/**
 * Middleware that sets the header `X-Served-By`, from which is seen whether one process answers all requests of a
 * workspace.
 */
export function nameProcess(_request: IncomingMessage, response: ServerResponse, next: () => void): void {
  response.setHeader('X-Served-By', PROCESS_NAME);
  next();
}

/**
 * Middleware that sets `request.id` and the header `X-Request-Id`: the client's id when it is valid, otherwise a new
 * one.
 */
export function assignRequestId(
  request: IncomingMessage & { id?: unknown },
  response: ServerResponse,
  next: () => void,
): void {
  const own = request.headers['x-request-id'];
  const id = typeof own === 'string' && VALID_REQUEST_ID.test(own) ? own : randomUUID();
  request.id = id;
  response.setHeader('X-Request-Id', id);
  next();
}

/**
 * Middleware that lets a request with `If-None-Match` get 304 whatever its `Cache-Control` says. `fetch` adds
 * `no-cache` to every such request. Ignoring it is safe: every response is computed again and its tag covers its bytes,
 * so there is no cache to bypass.
 */
export function honourIfNoneMatch(
  request: IncomingMessage,
  _response: ServerResponse,
  next: () => void,
): void {
  if (request.headers['if-none-match'] !== undefined) delete request.headers['cache-control'];
  next();
}
