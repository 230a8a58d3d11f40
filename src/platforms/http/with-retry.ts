import { setTimeout as sleepFor } from 'node:timers/promises';
import { PlatformError, type PlatformSession, type RequestWait } from '../platform.js';
import { TransportError } from './requestor.js';
import { decideRetry, type Fault, type RetryHistory, type RetryPolicy } from './retry-policy.js';

/** Waits; rejects at once with the signal's reason when it aborts. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

const sleep: Sleep = async (milliseconds, signal) => {
  try {
    await sleepFor(milliseconds, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
};

/** Logs an event that did not fail the scrape. Details never contain a token, a key or text written by users. */
export type PlatformLog = (event: string, details: Record<string, string | number>) => void;

/** The retry policy of a source, and injectable sleep, clock (epoch milliseconds), random source in [0, 1) and log. */
export interface RetryDependencies {
  policy: RetryPolicy;
  sleep: Sleep;
  random: () => number;
  now: () => number;
  log: PlatformLog;
}

/** The callbacks to which a repeated request reports. */
export type RetrySession = Pick<PlatformSession, 'signal' | 'isBrief' | 'onWait' | 'onRetry' | 'onSuccess'>;

/** Replacements of sleep, clock and random source, for tests. */
export type TimeOverrides = Partial<Pick<RetryDependencies, 'sleep' | 'random' | 'now'>>;

/** The dependencies of a source's retries on the system's clock and timers. */
export function retryDependencies(
  policy: RetryPolicy,
  log: PlatformLog = () => undefined,
  overrides: TimeOverrides = {},
): RetryDependencies {
  return { policy, sleep, random: Math.random, now: Date.now, log, ...overrides };
}

/** Result of one attempt: the value, or a fault that a retry may overcome. */
export type Attempt<T> = { done: true; value: T } | FailedAttempt;

/** A fault that a retry may overcome. */
export interface FailedAttempt {
  done: false;
  fault: Fault;
  detail: string;
  requestedWaitMs: number | null;
}

/** Result of an attempt with a fault that a retry may overcome. */
export function faulty(fault: Fault, detail: string): FailedAttempt {
  return { done: false, fault, detail, requestedWaitMs: null };
}

/** Result of a response with unexpected content, which a retry may overcome. */
export function unreadable(detail: string): FailedAttempt {
  return faulty('unreadable', detail);
}

/** Result of a response in which `value` was read; null for unexpected content, which a retry may overcome. */
export function readAs<T>(value: T | null): Attempt<T> {
  return value === null ? unreadable('unexpected content') : { done: true, value };
}

/**
 * Result of a request for `what` that got no complete response. Throws {@link PlatformError} when the response was too
 * large, and rethrows every error that is not a {@link TransportError}.
 */
export function unanswered(error: unknown, what: string): FailedAttempt {
  if (!(error instanceof TransportError)) throw error;
  if (error.kind === 'too_large')
    throw new PlatformError('bad_answer', `The response for ${what} is too large`, { cause: error });
  return faulty('network', error.message);
}

/**
 * Repeats an attempt until it succeeds, with growing waits according to the retry policy. `what` names the request in
 * logs and errors. Throws {@link PlatformError} when the retries are used up, the signal's reason when it aborts, and
 * everything that `attempt` throws.
 */
export async function withRetry<T>(
  what: string,
  attempt: () => Promise<Attempt<T>>,
  session: RetrySession,
  dependencies: RetryDependencies,
): Promise<T> {
  const { signal } = session;
  const { policy, random } = dependencies;
  const retries: Partial<Record<Fault, number>> = {};
  const wait = new RetryWait(session);
  let history: Omit<RetryHistory, 'sameFault'> = { total: 0, waitedMs: 0 };
  try {
    for (;;) {
      signal.throwIfAborted();
      const result = await attempt();
      if (result.done) {
        session.onSuccess?.();
        return result.value;
      }
      const { fault, detail, requestedWaitMs } = result;
      const sameFault = retries[fault] ?? 0;
      const rule = session.isBrief === true ? { ...policy.rules[fault], retries: 0 } : policy.rules[fault];
      const decision = decideRetry(rule, { ...history, sameFault }, requestedWaitMs, random());
      if (decision.action === 'fail')
        throw new PlatformError(
          decision.code,
          failureMessage(policy, fault, what, detail, requestedWaitMs, history),
        );
      const { delayMs } = decision;
      dependencies.log('platform request retried', { what, fault, detail, delayMs });
      session.onRetry?.({ what, cause: detail, delayMs });
      retries[fault] = sameFault + 1;
      history = { total: history.total + 1, waitedMs: history.waitedMs + delayMs };
      wait.until = new Date(dependencies.now() + delayMs);
      wait.begin(`The request for ${what} failed (${detail}) and is retried: retry ${history.total}`);
      await dependencies.sleep(delayMs, signal);
      wait.until = null;
    }
  } finally {
    wait.end();
  }
}

/** One wait for all retries of a request, from its first failure to its end, however short each delay is. */
class RetryWait implements RequestWait {
  readonly reason = 'retry';
  /** Null while an attempt is in flight. */
  until: Date | null = null;
  cause = '';
  private onEnd: (() => void) | undefined;

  constructor(private readonly session: RetrySession) {}

  begin(cause: string): void {
    this.cause = cause;
    this.onEnd ??= this.session.onWait?.(this);
  }

  end(): void {
    this.onEnd?.();
  }
}

/** One sentence for the operator: the cause, and the remedy if there is one. */
function failureMessage(
  { source, remedies }: RetryPolicy,
  fault: Fault,
  what: string,
  detail: string,
  requestedWaitMs: number | null,
  history: { total: number; waitedMs: number },
): string {
  const effort = `after ${history.total + 1} attempts and ${Math.round(history.waitedMs / 1_000)} s of waiting`;
  switch (fault) {
    case 'network':
      return `${source} could not be reached for ${what} (${detail}) ${effort}`;
    case 'server':
      return `${source} is not working: it responded with ${detail} for ${what} ${effort}`;
    case 'unreadable':
      return `The response of ${source} for ${what} could not be read (${detail}) ${effort}`;
    case 'rate_limited': {
      const wait =
        requestedWaitMs === null ? '' : `; it asks to wait another ${Math.ceil(requestedWaitMs / 1_000)} s`;
      return `${source} still limits the request rate: ${detail} for ${what} ${effort}${wait}. ${remedies.rate_limited}`;
    }
    case 'blocked':
      return `${source} blocks this service: it responded to ${what} with its block page "${detail}". ${remedies.blocked}`;
    case 'unauthorized':
      return `${source} refused the credentials (${detail}) for ${what}. ${remedies.unauthorized}`;
  }
}
