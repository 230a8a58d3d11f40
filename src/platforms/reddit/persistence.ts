import { setTimeout as sleepFor } from 'node:timers/promises';
import { PlatformError } from '../platform.js';
import { decideRetry, type Fault, type RetryHistory } from './retry-policy.js';

/** Waits; rejects at once with the signal's reason when it aborts. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

export const sleep: Sleep = async (milliseconds, signal) => {
  try {
    await sleepFor(milliseconds, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
};

/** Something noteworthy that was survived. Never holds a token, a key or a text of the platform's users. */
export type PlatformLog = (event: string, details: Record<string, string | number>) => void;

/** What waiting and chance are made of; tests bring their own. */
export interface Surroundings {
  sleep: Sleep;
  random: () => number;
  now: () => number;
  log: PlatformLog;
}

/** How one attempt ended: with what was asked for, or with a fault that may pass. */
export type Attempt<T> =
  { done: true; value: T } | { done: false; fault: Fault; detail: string; askedMs: number | null };

/**
 * Repeats an attempt by the retry table until it is done. `what` names the request for the log and the operator.
 * Throws {@link PlatformError} when the table says so, the signal's reason when it aborts, and whatever `attempt` throws.
 */
export async function persist<T>(
  what: string,
  attempt: () => Promise<Attempt<T>>,
  signal: AbortSignal,
  surroundings: Surroundings,
): Promise<T> {
  const repeats: Partial<Record<Fault, number>> = {};
  let history: Omit<RetryHistory, 'sameFault'> = { total: 0, waitedMs: 0 };
  for (;;) {
    signal.throwIfAborted();
    const outcome = await attempt();
    if (outcome.done) return outcome.value;
    const { fault, detail, askedMs } = outcome;
    const sameFault = repeats[fault] ?? 0;
    const decision = decideRetry(fault, { ...history, sameFault }, askedMs, surroundings.random());
    if (decision.action === 'fail')
      throw new PlatformError(decision.code, failureMessage(fault, what, detail, askedMs, history));
    surroundings.log('platform request repeated', { what, fault, detail, delayMs: decision.delayMs });
    repeats[fault] = sameFault + 1;
    history = { total: history.total + 1, waitedMs: history.waitedMs + decision.delayMs };
    await surroundings.sleep(decision.delayMs, signal);
  }
}

/** One sentence that tells an operator what happened and what can be done. */
function failureMessage(
  fault: Fault,
  what: string,
  detail: string,
  askedMs: number | null,
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
      const asked = askedMs === null ? '' : `, asking for ${Math.ceil(askedMs / 1_000)} s more`;
      return `Over the platform's request budget for too long: ${detail} for ${what} ${effort}${asked}. Lower PLATFORM_REQUESTS_PER_MINUTE, or see what else uses this client id`;
    }
    case 'blocked':
      return `The platform blocks this service: it answered ${what} with its block page "${detail}". Check PLATFORM_USER_AGENT, the OAuth application and the address this service runs from`;
    case 'unauthorized':
      return `The platform refused the credentials (${detail}) for ${what}. Check PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET`;
  }
}
