import type { ServerResponse } from 'node:http';
import { openWorkScope, presentResponse } from '../../common/work-scope.js';

/** Thrown by work that was abandoned because its client disconnected; no response is sent. */
export class ClientGoneError extends Error {
  constructor() {
    super('the client is gone');
  }
}

/**
 * Middleware that runs `next` in a scope, so that everything it calls, now or later, can use {@link presentResponse}
 * and enter a workspace. On Node.js below 24 the first request makes Node.js track every promise of the process, so
 * processes without the API do not use it.
 */
export function openRequestScope(_request: unknown, response: ServerResponse, next: () => void): void {
  openWorkScope(next, response);
}

/**
 * A signal that aborts with a {@link ClientGoneError} when the client of the current request disconnects; undefined
 * outside requests.
 */
export function clientSignal(): AbortSignal | undefined {
  const response = presentResponse();
  if (response === undefined) return undefined;
  const gone = new AbortController();
  const leave = (): void => {
    if (!response.writableFinished) gone.abort(new ClientGoneError());
  };
  if (response.destroyed) leave();
  else response.once('close', leave);
  return gone.signal;
}
