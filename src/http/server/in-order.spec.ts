import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { inOrder } from './in-order.js';

/** What a request with these handlers did, and what it gave to `next`. */
function run(...handlers: readonly ((done: string[], next: NextFunction) => void)[]): unknown[] {
  const done: unknown[] = [];
  const all = handlers.map(
    (handle): RequestHandler =>
      (_request, _response, next) =>
        handle(done as string[], next),
  );
  inOrder(...all)({} as Request, {} as Response, (error?: unknown) => done.push(['next', error]));
  return done;
}

const says =
  (word: string) =>
  (done: string[], next: NextFunction): void => {
    done.push(word);
    next();
  };

describe('handlers in order', () => {
  it('run one after the other, then the next middleware', () => {
    expect(run(says('first'), says('second'))).toEqual(['first', 'second', ['next', undefined]]);
  });

  it('end with an error that one of them gives to next', () => {
    const failure = new Error('refused');
    const refuse = (_done: string[], next: NextFunction): void => next(failure);
    expect(run(says('first'), refuse, says('never'))).toEqual(['first', ['next', failure]]);
  });

  it('end with an error that one of them throws', () => {
    const fail = (): void => {
      throw new Error('broken');
    };
    expect(() => run(says('first'), fail, says('never'))).toThrow('broken');
  });

  it('end with one that answers', () => {
    expect(run(says('first'), () => undefined, says('never'))).toEqual(['first']);
  });
});
