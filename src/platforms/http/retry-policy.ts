import { statedDelay } from '../../infrastructure/outbound-http/stated-delay.js';
import { type PlatformErrorCode } from '../platform.js';

/** Failures of a request that a retry may overcome. */
export type Fault =
  /** No complete response: refused, reset, truncated, unresolved or timed out. */
  | 'network'
  /** The platform, or a proxy in front of it, responds with a server error. */
  | 'server'
  /** A success whose body is empty, truncated or of an unexpected shape. */
  | 'unreadable'
  | 'rate_limited'
  /** An HTML page that refuses automated clients. */
  | 'blocked'
  /** The access token is not accepted. */
  | 'unauthorized';

/** How often a fault is retried, after which delays, and the error code when retries are used up. */
export interface RetryRule {
  /** Retries after the first attempt, counted per kind of fault of one request. */
  retries: number;
  /** Delay before the first retry in milliseconds; doubled for each further one, up to `capMs`. */
  baseMs: number;
  capMs: number;
  failsAs: PlatformErrorCode;
}

/** How a source's failed requests are retried. */
export interface RetryPolicy {
  rules: Readonly<Record<Fault, RetryRule>>;
  /** The responder, used as the subject of messages: `Hacker News`. */
  source: string;
  /** The operator's remedies when the retries are used up; one sentence each. */
  remedies: Readonly<Record<'rate_limited' | 'blocked' | 'unauthorized', string>>;
}

/** The rules of sources that need no credentials. */
export const OPEN_RULES: RetryPolicy['rules'] = {
  network: { retries: 8, baseMs: 250, capMs: 30_000, failsAs: 'unavailable' },
  server: { retries: 8, baseMs: 250, capMs: 30_000, failsAs: 'unavailable' },
  unreadable: { retries: 8, baseMs: 250, capMs: 15_000, failsAs: 'bad_answer' },
  rate_limited: { retries: 8, baseMs: 1_000, capMs: 60_000, failsAs: 'rate_limited' },
  blocked: { retries: 6, baseMs: 1_000, capMs: 30_000, failsAs: 'blocked' },
  unauthorized: { retries: 0, baseMs: 0, capMs: 0, failsAs: 'target_private' },
};

/** Maximum sum of a request's delays: somewhat more than the longest window of a platform, ten minutes. */
export const MAX_TOTAL_WAIT_MS = 15 * 60_000;
/** Maximum number of retries of one request over all kinds of faults. */
const MAX_RETRIES = 20;

/** Statuses of servers that a repeated request would get again. */
const NOT_IMPLEMENTED: ReadonlySet<number> = new Set([501, 505]);

/** The fault that a status means regardless of the body; null when the body decides. */
export function faultOfStatus(status: number): Fault | null {
  if (status === 401) return 'unauthorized';
  if (status === 429) return 'rate_limited';
  const isServers = (status >= 500 && status < 600) || status === 408 || status === 425;
  return isServers && !NOT_IMPLEMENTED.has(status) ? 'server' : null;
}

/** The previous retries of one request. */
export interface RetryHistory {
  /** Retries because of the same kind of fault. */
  sameFault: number;
  /** Retries because of any fault. */
  total: number;
  waitedMs: number;
}

/** The next step after a failed attempt: another attempt after `delayMs` milliseconds, or a final error. */
export type RetryDecision =
  { action: 'retry'; delayMs: number } | { action: 'fail'; code: PlatformErrorCode };

/**
 * Decides the next step after a failed attempt by the rule for its kind of fault. `requestedWaitMs` is the delay that the response
 * requested (`Retry-After` or the end of the rate-limit window), or null; `random` in [0, 1) adds jitter.
 */
export function decideRetry(
  rule: RetryRule,
  history: RetryHistory,
  requestedWaitMs: number | null,
  random: number,
): RetryDecision {
  const fail = { action: 'fail', code: rule.failsAs } as const;
  if (history.sameFault >= rule.retries || history.total >= MAX_RETRIES) return fail;
  const backOff = Math.min(rule.capMs, rule.baseMs * 2 ** history.sameFault) * (0.5 + random / 2);
  const delayMs = Math.round(
    requestedWaitMs === null ? backOff : Math.max(backOff, requestedWaitMs + random * rule.baseMs),
  );
  return history.waitedMs + delayMs > MAX_TOTAL_WAIT_MS ? fail : { action: 'retry', delayMs };
}

/**
 * The delay in milliseconds, at most a day, that a response requests: `Retry-After`, or for a 429 without it the time to
 * the end of the platform's window. Null when it requests none. A reset of 0 is ignored, because the platform sends it
 * while the window is still full.
 */
export function requestedWait(
  status: number,
  headers: { retryAfter: string | null; reset: string | null },
  now: number,
): number | null {
  const retryAfter = statedDelay(headers.retryAfter, now);
  if (retryAfter !== null) return retryAfter;
  const reset = status === 429 ? statedDelay(headers.reset, now) : null;
  return reset === 0 ? null : reset;
}
