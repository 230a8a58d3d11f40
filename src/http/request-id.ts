import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A caller's own request id is kept when it cannot disturb logs or headers. */
const SANE_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** Names the request before anything can fail, in `request.id` and in the answer's `X-Request-Id`. */
export function nameRequest(
  request: IncomingMessage & { id?: unknown },
  response: ServerResponse,
  next: () => void,
): void {
  const own = request.headers['x-request-id'];
  const id = typeof own === 'string' && SANE_REQUEST_ID.test(own) ? own : randomUUID();
  request.id = id;
  response.setHeader('X-Request-Id', id);
  next();
}
