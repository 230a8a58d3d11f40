import { retryAfterSeconds } from './errors.js';

/** How requests are retried. */
export interface RetryOptions {
  /** Total number of attempts of a request; 1 disables retries. Default 4. */
  attempts?: number;
  /** Maximum wait between two attempts in milliseconds, even if `Retry-After` is longer. Default 30,000. */
  maxWaitMs?: number;
}

/** Sends a request: the global `fetch`, or one with a proxy or its own time limit. */
export type Fetch = (request: Request) => Promise<Response>;

const FIRST_WAIT_MS = 250;
/** The service has not done anything yet, so any request may be repeated. */
const REFUSED_BEFORE_WORK = new Set([429]);
/**
 * Something failed between client and service or, for 503, perhaps the database during a commit. The service may have
 * done its work.
 */
const FAILED_ON_THE_WAY = new Set([502, 503, 504]);

/** Whether a response with this status means that the same request may succeed later. */
export const isTransient = (status: number): boolean =>
  REFUSED_BEFORE_WORK.has(status) || FAILED_ON_THE_WAY.has(status);

/**
 * A fetch that retries temporary failures, with growing waits and jitter, or after the wait that `Retry-After` gives.
 * If a request may already have been carried out, it is repeated only when doing it twice has the same effect as doing
 * it once: GET, HEAD, and any request with an `Idempotency-Key`.
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

/** Resolves after a time; rejects with the signal's reason when it aborts first. */
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
