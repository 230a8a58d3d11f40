import { type PlatformErrorCode } from '../platform.js';

/** What can go wrong with one exchange without being an answer to the question asked. */
export type Fault =
  /** No whole answer: refused, reset, cut off, unresolved, timed out. */
  | 'network'
  /** The platform or what stands before it is out of order. */
  | 'server'
  /** A success whose body is empty, cut short or not what was asked for. */
  | 'unreadable'
  | 'rate_limited'
  /** A page for people that tells machines to go away. */
  | 'blocked'
  /** The access token is no longer (or not) accepted. */
  | 'unauthorized';

export interface RetryRule {
  /** Repeats after the first attempt, counted for each fault of one request. */
  retries: number;
  /** Wait before the first repeat; each further one doubles it, up to `capMs`. */
  baseMs: number;
  capMs: number;
  failsAs: PlatformErrorCode;
}

/** The one table of what is repeated, how patiently, and what it ends as. */
export const RETRY_RULES: Readonly<Record<Fault, RetryRule>> = {
  network: { retries: 8, baseMs: 250, capMs: 30_000, failsAs: 'unavailable' },
  server: { retries: 8, baseMs: 250, capMs: 30_000, failsAs: 'unavailable' },
  unreadable: { retries: 8, baseMs: 250, capMs: 15_000, failsAs: 'bad_answer' },
  rate_limited: { retries: 8, baseMs: 500, capMs: 30_000, failsAs: 'rate_limited' },
  blocked: { retries: 2, baseMs: 1_000, capMs: 5_000, failsAs: 'blocked' },
  unauthorized: { retries: 4, baseMs: 0, capMs: 0, failsAs: 'credentials_refused' },
};

/** One request waits at most this long in all: a little more than the platform's ten-minute window. */
export const PATIENCE_MS = 15 * 60_000;
/** Faults of different kinds may alternate; this ends them all the same. */
export const MAX_RETRIES = 20;

const SERVER_STATUSES: ReadonlySet<number> = new Set([
  408, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 529, 530, 598, 599,
]);

/** The fault that a status stands for whatever its body says; null when the body decides. */
export function faultOfStatus(status: number): Fault | null {
  if (status === 401) return 'unauthorized';
  if (status === 429) return 'rate_limited';
  return SERVER_STATUSES.has(status) ? 'server' : null;
}

/** What one request went through so far. */
export interface RetryHistory {
  /** Repeats already made because of the same fault. */
  sameFault: number;
  /** Repeats already made because of any fault. */
  total: number;
  waitedMs: number;
}

export type RetryDecision =
  { action: 'retry'; delayMs: number } | { action: 'fail'; code: PlatformErrorCode };

/**
 * Decides about one failed attempt. `askedMs` is what the answer asked to wait (Retry-After, the end of the rate-limit
 * window), null when it asked nothing; `random` is a number in [0, 1) that spreads repeats of many requests.
 */
export function decideRetry(
  fault: Fault,
  history: RetryHistory,
  askedMs: number | null,
  random: number,
): RetryDecision {
  const rule = RETRY_RULES[fault];
  const fail = { action: 'fail', code: rule.failsAs } as const;
  if (history.sameFault >= rule.retries || history.total >= MAX_RETRIES) return fail;
  const backOff = Math.min(rule.capMs, rule.baseMs * 2 ** history.sameFault) * (0.5 + random / 2);
  const delayMs = Math.round(askedMs === null ? backOff : Math.max(backOff, askedMs + random * rule.baseMs));
  return history.waitedMs + delayMs > PATIENCE_MS ? fail : { action: 'retry', delayMs };
}

/**
 * What an answer asks to wait, in milliseconds: `Retry-After` (seconds or a date), else for a 429 the end of the
 * platform's window. A reset of 0 says nothing: such answers were seen while the window was still full.
 */
export function askedWait(
  status: number,
  headers: { retryAfter: string | null; reset: string | null },
  now: number,
): number | null {
  const retryAfter = headers.retryAfter?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/.test(retryAfter)) return Number(retryAfter) * 1_000;
  const moment = retryAfter === '' ? Number.NaN : Date.parse(retryAfter);
  if (!Number.isNaN(moment)) return Math.max(0, moment - now);
  const reset = status === 429 && headers.reset !== null ? Number(headers.reset) : 0;
  return Number.isFinite(reset) && reset > 0 ? reset * 1_000 : null;
}
