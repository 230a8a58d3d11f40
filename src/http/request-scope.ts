import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import { openWorkspaceScope } from '../common/workspace-scope.js';

/** Thrown by work that was given up because the client of its request is gone; nothing is answered then. */
export class ClientGoneError extends Error {
  constructor() {
    super('the client is gone');
  }
}

const responses = new AsyncLocalStorage<ServerResponse>();

/**
 * Middleware that calls `next` so that {@link presentResponse} is known to everything that it calls, also later; a workspace may be
 * entered there. From its first request on Node.js below 24 follows every promise of the process, so processes without the API do without.
 */
export function openRequestScope(_request: unknown, response: ServerResponse, next: () => void): void {
  responses.run(response, () => openWorkspaceScope(next));
}

/** The response to the request that is being served; undefined outside of requests. */
export const presentResponse = (): ServerResponse | undefined => responses.getStore();

/** Aborts with a {@link ClientGoneError} when the client of the present request closes its connection; undefined outside of requests. */
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
