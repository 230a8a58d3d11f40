import { retryAfterSeconds } from './errors.js';

/** How requests are repeated. */
export interface RetryOptions {
  /** Attempts of a request in all; 1 switches repeats off. Default 4. */
  attempts?: number;
  /** The longest wait between two attempts, in milliseconds, also when `Retry-After` asks for more. Default 30,000. */
  maxWaitMs?: number;
}

/** Sends a request; the global `fetch` or one with a proxy or a time limit of its own. */
export type Fetch = (request: Request) => Promise<Response>;

const FIRST_WAIT_MS = 250;
/** The service did nothing yet, so that any request may be repeated. */
const REFUSED_BEFORE_WORK = new Set([429]);
/** Something on the way failed, for 503 perhaps the database as it committed; the service may have done its work. */
const FAILED_ON_THE_WAY = new Set([502, 503, 504]);

/** Whether an answer of this status says that the same request may succeed later. */
export const isTransient = (status: number): boolean =>
  REFUSED_BEFORE_WORK.has(status) || FAILED_ON_THE_WAY.has(status);

/**
 * A fetch that repeats what failed for a passing reason, with growing waits and jitter, or the wait that `Retry-After`
 * names. A request is repeated after it may have been carried out only when doing it twice is the same as doing it once:
 * GET, HEAD, and any request with an `Idempotency-Key`.
 */
export function retryingFetch(fetch: Fetch, { attempts = 4, maxWaitMs = 30_000 }: RetryOptions = {}): Fetch {
  return async (request) => {
    const isRepeatable =
      request.method === 'GET' || request.method === 'HEAD' || request.headers.has('Idempotency-Key');
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt >= attempts;
      let retryAfterMs: number | null = null;
      try {
        const response = await fetch(isLast ? request : request.clone());
        const mayRepeat = isRepeatable
          ? isTransient(response.status)
          : REFUSED_BEFORE_WORK.has(response.status);
        if (isLast || !mayRepeat) return response;
        const seconds = retryAfterSeconds(response.headers);
        retryAfterMs = seconds === null ? null : seconds * 1_000;
        await response.body?.cancel();
      } catch (error) {
        if (isLast || !isRepeatable || request.signal.aborted) throw error;
      }
      const backoffMs = FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random());
      await wait(Math.min(maxWaitMs, retryAfterMs ?? backoffMs), request.signal);
    }
  };
}

/** Resolves after a time; rejects with the signal's reason when it aborts before. */
export function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const finish = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      if (signal?.aborted) reject(signal.reason as Error);
      else resolve();
    };
    const timer = setTimeout(finish, milliseconds);
    if (signal?.aborted) finish();
    else signal?.addEventListener('abort', finish);
  });
}
