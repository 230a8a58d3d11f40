import { setTimeout as sleepFor } from 'node:timers/promises';
import { PlatformError } from '../platform.js';
import { decideRetry, type Fault, type RetryHistory } from './retry-policy.js';

/** Waits; rejects at once with the signal's reason when it aborts. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

/** {@link Sleep} on the system's timers. */
export const sleep: Sleep = async (milliseconds, signal) => {
  try {
    await sleepFor(milliseconds, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
};

/** Logs an event that did not fail the scrape. Details never hold a token, a key or text written by users. */
export type PlatformLog = (event: string, details: Record<string, string | number>) => void;

/** Injectable sleep, clock (epoch milliseconds), random source in [0, 1) and log. */
export interface RetryDependencies {
  sleep: Sleep;
  random: () => number;
  now: () => number;
  log: PlatformLog;
}

/** Result of one attempt: the value, or a fault that a retry may overcome. */
export type Attempt<T> =
  { done: true; value: T } | { done: false; fault: Fault; detail: string; requestedWaitMs: number | null };

/**
 * Repeats an attempt with growing waits, as the retry table says, until it is done. `what` names the request in logs
 * and errors. Throws {@link PlatformError} when the retries are used up, the signal's reason when it aborts, and
 * everything that `attempt` throws.
 */
export async function withRetry<T>(
  what: string,
  attempt: () => Promise<Attempt<T>>,
  signal: AbortSignal,
  dependencies: RetryDependencies,
): Promise<T> {
  const retries: Partial<Record<Fault, number>> = {};
  let history: Omit<RetryHistory, 'sameFault'> = { total: 0, waitedMs: 0 };
  for (;;) {
    signal.throwIfAborted();
    const result = await attempt();
    if (result.done) return result.value;
    const { fault, detail, requestedWaitMs } = result;
    const sameFault = retries[fault] ?? 0;
    const decision = decideRetry(fault, { ...history, sameFault }, requestedWaitMs, dependencies.random());
    if (decision.action === 'fail')
      throw new PlatformError(decision.code, failureMessage(fault, what, detail, requestedWaitMs, history));
    dependencies.log('platform request retried', { what, fault, detail, delayMs: decision.delayMs });
    retries[fault] = sameFault + 1;
    history = { total: history.total + 1, waitedMs: history.waitedMs + decision.delayMs };
    await dependencies.sleep(decision.delayMs, signal);
  }
}

/** One sentence for the operator: the cause, and the remedy where there is one. */
function failureMessage(
  fault: Fault,
  what: string,
  detail: string,
  requestedWaitMs: number | null,
  history: { total: number; waitedMs: number },
): string {
  const effort = `after ${history.total + 1} attempts and ${Math.round(history.waitedMs / 1_000)} s of waiting`;
  switch (fault) {
    case 'network':
      return `The platform could not be reached for ${what} (${detail}) ${effort}`;
    case 'server':
      return `The platform is out of order: it answered ${detail} for ${what} ${effort}`;
    case 'unreadable':
      return `The platform's answer for ${what} could not be read (${detail}) ${effort}`;
    case 'rate_limited': {
      const wait =
        requestedWaitMs === null ? '' : `, asking for ${Math.ceil(requestedWaitMs / 1_000)} s more`;
      return `Over the platform's request budget for too long: ${detail} for ${what} ${effort}${wait}. Lower PLATFORM_REQUESTS_PER_MINUTE, or see what else uses this client id`;
    }
    case 'blocked':
      return `The platform blocks this service: it answered ${what} with its block page "${detail}". Check PLATFORM_USER_AGENT, the OAuth application and the address this service runs from`;
    case 'unauthorized':
      return `The platform refused the credentials (${detail}) for ${what}. Check PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET`;
  }
}
