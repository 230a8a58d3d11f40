import type { NextFunction, Request, RequestHandler, Response } from 'express';

/**
 * One middleware that runs these in order, so that Express matches and mounts one for each request instead of each of
 * them. An error, thrown or given to `next`, ends the order.
 */
export function inOrder(...handlers: readonly RequestHandler[]): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    let index = 0;
    const step: NextFunction = (error?: unknown) => {
      const handler = error === undefined ? handlers[index] : undefined;
      index += 1;
      if (handler === undefined) next(error);
      else void handler(request, response, step);
    };
    step();
  };
}
