import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Lets a request with `If-None-Match` have its 304 whatever its `Cache-Control` says. Every answer here is made anew and
 * its tag is of its bytes, so "no-cache", which `fetch` adds to each such request by itself, asks for nothing more.
 */
export function honourIfNoneMatch(
  request: IncomingMessage,
  _response: ServerResponse,
  next: () => void,
): void {
  if (request.headers['if-none-match'] !== undefined) delete request.headers['cache-control'];
  next();
}
