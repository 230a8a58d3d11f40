import { setTimeout as sleepFor } from 'node:timers/promises';
import { statedDelay } from '../../infrastructure/outbound-http/stated-delay.js';
import { PlatformError, type PlatformSession } from '../platform.js';
import type { LimitHeaders } from './limit-headers.js';

/** The sender of a request: its workspace, its priority and the signal that cancels it. */
export type BudgetSession = Pick<PlatformSession, 'workspaceId' | 'priority' | 'signal'>;

/** The limit in a response: requests left and used in the platform's window, and seconds to its end, at most a day. */
export interface RateLimitHeaders {
  remaining: number;
  used: number | null;
  reset: number;
}

/** Limits the requests to the platform and shares them fairly between workspaces. */
export interface RequestBudget {
  /**
   * Resolves when one request may be sent. Rejects with the signal's reason when it aborts, and with a `rate_limited`
   * {@link PlatformError} after {@link MAX_BUDGET_WAIT_MS} or when the workspace has too many waiting requests.
   */
  acquire(session: BudgetSession): Promise<void>;
  /** When the budget is expected to have a request again; null when it has one, or when that is not known. */
  readonly nextRequestAt: Date | null;
  /**
   * Must be called once for every acquired request, when it has ended. `headers` is null when the response had none,
   * `status` is 0 when there was no response.
   */
  report(headers: RateLimitHeaders | null, status: number): void;
  /** Stays within a limit that the source states as well as within its own, until the source states another one. */
  limitTo(stated: RateLimit): void;
}

/** Requests of one workspace and priority: the unit that takes turns. */
export type BudgetCandidate = Pick<BudgetSession, 'workspaceId' | 'priority'>;

/** Index of the candidate that may send one request, or -1 and the milliseconds after which to try again. */
export interface Grant {
  index: number;
  waitMs: number;
  /** Milliseconds until the budget has a request again, which can be longer than `waitMs`. */
  freeInMs: number;
}

/** The most requests in any span of `withinMs` milliseconds. */
export interface RateLimit {
  requests: number;
  withinMs: number;
}

/** The limit of `requests` in any minute. */
export function perMinute(requests: number): RateLimit {
  return { requests, withinMs: 60_000 };
}

/** A limit with which both limits hold, in the span of the first one where a share of the second allows a request in it. */
export function withinBoth(own: RateLimit, stated: RateLimit): RateLimit {
  if (stated.requests <= own.requests && stated.withinMs >= own.withinMs) return stated;
  const requests = Math.floor((stated.requests * own.withinMs) / stated.withinMs);
  if (requests >= own.requests) return own;
  return requests >= 1
    ? { requests, withinMs: own.withinMs }
    : { requests: 1, withinMs: Math.ceil(stated.withinMs / stated.requests) };
}

/** The platform's window according to a response: its state, or that the request was not counted in it. */
export type WindowUpdate = { remaining: number; endsInMs: number } | 'uncounted';

/** Counts requests and decides which waiting candidate is next. */
export interface BudgetStore {
  /** Grants one request to the candidate with the lowest rank, if the budget allows one. */
  grant(candidates: readonly BudgetCandidate[]): Promise<Grant>;
  /** Applies the state of the platform's window. */
  update(update: WindowUpdate): Promise<void>;
  /** As {@link RequestBudget.limitTo}. */
  limitTo(stated: RateLimit): void;
}

/**
 * Parses the headers of a response; null when they are absent or invalid. Numbers are sent as `599.0` or `299`. `now` is
 * in epoch milliseconds.
 */
export function parseRateLimit(headers: LimitHeaders, now: number): RateLimitHeaders | null {
  const remaining = numberOf(headers.remaining);
  const resetMs = statedDelay(headers.reset, now);
  return remaining === null || resetMs === null
    ? null
    : { remaining, used: numberOf(headers.used), reset: resetMs / 1_000 };
}

function numberOf(text: string | null): number | null {
  const number = text === null || text.trim() === '' ? Number.NaN : Number(text);
  // Redis counts on with the number, which therefore has to be a safe integer.
  return Number.isFinite(number) && number >= 0 ? Math.min(number, Number.MAX_SAFE_INTEGER) : null;
}

/** Maximum time that a request waits for the budget. */
const MAX_BUDGET_WAIT_MS = 30 * 60_000;
/** Maximum number of waiting requests per workspace and priority in one process. */
export const MAX_WAITING_REQUESTS = 1_000;
/** Delay before the next attempt when a full window claims to end now. */
const FULL_WINDOW_PAUSE_MS = 1_000;

interface WaiterQueue {
  candidate: BudgetCandidate;
  /** The waiting requests, in order of arrival. */
  waiters: Set<Waiter>;
}

interface Waiter {
  admit: () => void;
  refuse: (error: PlatformError) => void;
}

/** Queues the requests of this process and admits them one at a time, as its store grants them. */
export class QueuedRequestBudget implements RequestBudget {
  private readonly queues = new Map<string, WaiterQueue>();
  private inFlight = 0;
  private isServing = false;
  /** Whether the queues or the window changed since the last call of the store. */
  private hasChanged = false;
  private pause: AbortController | null = null;
  private freeAt = 0;

  constructor(
    private readonly store: BudgetStore,
    private readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<unknown> = (ms, signal) =>
      sleepFor(ms, undefined, { signal, ref: false }),
    private readonly maxWaitMs = MAX_BUDGET_WAIT_MS,
  ) {}

  get nextRequestAt(): Date | null {
    return this.freeAt > Date.now() ? new Date(this.freeAt) : null;
  }

  async acquire(session: BudgetSession): Promise<void> {
    const { signal } = session;
    signal.throwIfAborted();
    const queue = this.queueOf(session);
    if (queue.waiters.size >= MAX_WAITING_REQUESTS)
      throw new PlatformError(
        'rate_limited',
        'Too many requests of this workspace are waiting for the request budget',
      );
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        this.remove(queue, waiter);
      };
      const waiter: Waiter = {
        admit: () => (leave(), resolve()),
        refuse: (error) => (leave(), reject(error)),
      };
      const onAbort = (): void => (leave(), reject(signal.reason as Error));
      const onTimeout = (): void => waiter.refuse(timeoutError(this.maxWaitMs));
      const timer = setTimeout(onTimeout, this.maxWaitMs);
      timer.unref();
      signal.addEventListener('abort', onAbort, { once: true });
      queue.waiters.add(waiter);
      if (queue.waiters.size === 1) this.wake();
    });
  }

  report(headers: RateLimitHeaders | null, status: number): void {
    this.inFlight = Math.max(0, this.inFlight - 1);
    const update = windowUpdate(headers, status, this.inFlight);
    if (update !== null) void this.store.update(update).then(() => this.wake());
  }

  limitTo(stated: RateLimit): void {
    this.store.limitTo(stated);
  }

  private queueOf({ workspaceId, priority }: BudgetCandidate): WaiterQueue {
    const key = `${priority} ${workspaceId}`;
    let queue = this.queues.get(key);
    if (!queue) this.queues.set(key, (queue = { candidate: { workspaceId, priority }, waiters: new Set() }));
    return queue;
  }

  private remove(queue: WaiterQueue, waiter: Waiter): void {
    queue.waiters.delete(waiter);
    const { workspaceId, priority } = queue.candidate;
    if (queue.waiters.size === 0) this.queues.delete(`${priority} ${workspaceId}`);
  }

  private wake(): void {
    this.hasChanged = true;
    this.pause?.abort();
    if (!this.isServing) void this.serve();
  }

  /** Admits requests until none is waiting. Only one call runs at a time. */
  private async serve(): Promise<void> {
    this.isServing = true;
    try {
      while (this.queues.size > 0) {
        this.hasChanged = false;
        const queues = [...this.queues.values()];
        const { index, waitMs, freeInMs } = await this.store.grant(queues.map((queue) => queue.candidate));
        this.freeAt = Date.now() + freeInMs;
        const queue = queues[index];
        if (!queue) {
          if (freeInMs > this.maxWaitMs) this.refuseAll(queues, freeInMs);
          if (this.queues.size > 0) await this.pauseFor(waitMs);
        } else {
          // If the last request of the queue was cancelled while waiting, the granted request stays unused.
          const [waiter] = queue.waiters;
          if (waiter) this.inFlight += 1;
          waiter?.admit();
        }
      }
    } finally {
      this.isServing = false;
    }
  }

  /** Ends waits that would be in vain; those for the spare budget go on, until their own limit. */
  private refuseAll(queues: readonly WaiterQueue[], freeInMs: number): void {
    for (const { candidate, waiters } of queues)
      if (candidate.priority !== 'low') for (const { refuse } of [...waiters]) refuse(usedUpError(freeInMs));
  }

  private async pauseFor(milliseconds: number): Promise<void> {
    if (this.hasChanged) return;
    this.pause = new AbortController();
    await this.sleep(Math.ceil(milliseconds), this.pause.signal).catch(() => undefined);
    this.pause = null;
  }
}

function timeoutError(milliseconds: number): PlatformError {
  return new PlatformError(
    'rate_limited',
    `The request budget left no request for this workspace within ${Math.round(milliseconds / 60_000)} minutes`,
  );
}

function usedUpError(freeInMs: number): PlatformError {
  return new PlatformError(
    'rate_limited',
    `The request budget of the source is used up for another ${Math.ceil(freeInMs / 60_000)} minutes`,
  );
}

/** Headers may not include requests still in flight. The platform omits the headers for uncounted requests. */
function windowUpdate(
  headers: RateLimitHeaders | null,
  status: number,
  inFlight: number,
): WindowUpdate | null {
  if (headers === null) return status === 0 || status === 429 ? null : 'uncounted';
  const isFull = headers.reset === 0 && headers.remaining < 1;
  return {
    remaining: Math.max(0, Math.floor(headers.remaining) - inFlight),
    endsInMs: isFull ? FULL_WINDOW_PAUSE_MS : Math.ceil(headers.reset * 1_000),
  };
}
