import { AsyncLocalStorage } from 'node:async_hooks';
import type { NextFunction, Request, Response } from 'express';

/** Thrown by work that was given up because the client of its request is gone; nothing is answered then. */
export class ClientGoneError extends Error {
  constructor() {
    super('the client is gone');
  }
}

const signals = new AsyncLocalStorage<AbortSignal>();

/** Middleware that makes {@link clientSignal} known to everything that a request calls. */
export function watchClient(_request: Request, response: Response, next: NextFunction): void {
  const gone = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) gone.abort(new ClientGoneError());
  });
  signals.run(gone.signal, next);
}

/** Aborts with a {@link ClientGoneError} when the client of the present request closes its connection; undefined outside of requests. */
export const clientSignal = (): AbortSignal | undefined => signals.getStore();
