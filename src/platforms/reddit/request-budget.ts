import { setTimeout as sleepFor } from 'node:timers/promises';
import { type PlatformSession } from '../platform.js';

/** Who asks for a request. */
export type BudgetSession = Pick<PlatformSession, 'workspaceId' | 'priority' | 'signal'>;

/** `x-ratelimit-*` of one answer: requests left and made in the platform's window, and seconds to its end. */
export interface RateLimitHeaders {
  remaining: number;
  used: number | null;
  reset: number;
}

/** The one gate that every request to the platform passes. */
export interface RequestBudget {
  /** Resolves when one request may be sent; rejects with the signal's reason when it aborts. */
  acquire(session: BudgetSession): Promise<void>;
  /**
   * Called exactly once for every acquired request, when it ended. `headers` is null when the answer had none;
   * `status` is 0 when there was no answer.
   */
  report(headers: RateLimitHeaders | null, status: number): void;
}

/** The headers of an answer; null when they are absent or make no sense. They come as `599.0` or `299`. */
export function parseRateLimit(headers: {
  remaining: string | null;
  used: string | null;
  reset: string | null;
}): RateLimitHeaders | null {
  const remaining = numberOf(headers.remaining);
  const reset = numberOf(headers.reset);
  return remaining === null || reset === null ? null : { remaining, used: numberOf(headers.used), reset };
}

function numberOf(text: string | null): number | null {
  const number = text === null || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) && number >= 0 ? number : null;
}

/** An answer that says nothing of the window was not counted in it: the platform tells with every one that it counts. */
export function isUncounted(status: number): boolean {
  return status !== 0 && status !== 429;
}

interface Waiter {
  session: BudgetSession;
  admit: () => void;
}

const MINUTE_MS = 60_000;
/** A window that is full but says that it ends now is asked again after this. */
const FULL_WINDOW_PAUSE_MS = 1_000;
/** Two answers speak of the same window when their ends differ by less. */
const SAME_WINDOW_MS = 5_000;

/**
 * The budget of one process: never more than `perMinute` requests begin within any minute, and never more than the
 * platform's own window has left. While there is budget nobody waits; then workspaces take turns, `high` before `normal`.
 */
export class InProcessRequestBudget implements RequestBudget {
  private readonly waiting: Record<BudgetSession['priority'], Map<string, Waiter[]>> = {
    high: new Map(),
    normal: new Map(),
  };
  /** When the requests of the last minute began, oldest first, from `oldest` on. */
  private began: number[] = [];
  private oldest = 0;
  private inFlight = 0;
  private window: { remaining: number; endsAt: number } | null = null;
  private timer: AbortController | null = null;

  constructor(
    private readonly perMinute: number,
    private readonly now: () => number = Date.now,
    private readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<unknown> = (ms, signal) =>
      sleepFor(ms, undefined, { signal, ref: false }),
  ) {}

  async acquire(session: BudgetSession): Promise<void> {
    const { signal, workspaceId, priority } = session;
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const queues = this.waiting[priority];
      const queue = queues.get(workspaceId) ?? [];
      const onAbort = () => {
        const at = queue.indexOf(waiter);
        if (at >= 0) queue.splice(at, 1);
        if (queue.length === 0 && queues.get(workspaceId) === queue) queues.delete(workspaceId);
        reject(signal.reason as Error);
      };
      const waiter: Waiter = {
        session,
        admit: () => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      queue.push(waiter);
      queues.set(workspaceId, queue);
      signal.addEventListener('abort', onAbort, { once: true });
      this.admit();
    });
  }

  report(headers: RateLimitHeaders | null, status: number): void {
    this.inFlight = Math.max(0, this.inFlight - 1);
    if (headers) this.learn(headers);
    else if (isUncounted(status) && this.window) this.window.remaining += 1;
    this.admit();
  }

  private learn(headers: RateLimitHeaders): void {
    const endsAt =
      this.now() +
      (headers.reset === 0 && headers.remaining < 1 ? FULL_WINDOW_PAUSE_MS : headers.reset * 1_000);
    const remaining = Math.floor(headers.remaining);
    const known = this.openWindow();
    const same = known !== null && Math.abs(known.endsAt - endsAt) < SAME_WINDOW_MS;
    this.window = { remaining: same ? Math.min(known.remaining, remaining) : remaining, endsAt };
  }

  private openWindow(): { remaining: number; endsAt: number } | null {
    if (this.window !== null && this.window.endsAt <= this.now()) this.window = null;
    return this.window;
  }

  private admit(): void {
    for (;;) {
      if (this.waiting.high.size === 0 && this.waiting.normal.size === 0) return;
      const delay = this.delay();
      if (delay > 0) return this.wake(delay);
      const waiter = this.next();
      if (!waiter) return;
      this.began.push(this.now());
      this.inFlight += 1;
      waiter.admit();
    }
  }

  /** Milliseconds until the next request may begin; 0 for now. */
  private delay(): number {
    const now = this.now();
    while (this.oldest < this.began.length && this.began[this.oldest]! <= now - MINUTE_MS) this.oldest += 1;
    if (this.oldest > 1_024 && this.oldest * 2 > this.began.length) {
      this.began = this.began.slice(this.oldest);
      this.oldest = 0;
    }
    const count = this.began.length - this.oldest;
    const pace =
      count < this.perMinute ? 0 : this.began[this.began.length - this.perMinute]! + MINUTE_MS - now;
    const window = this.openWindow();
    // Requests on their way may count against the window too. Answers without headers were seen not to count.
    const full = window !== null && window.remaining - this.inFlight < 1;
    return Math.max(pace, full ? window.endsAt - now : 0);
  }

  /** The first waiter of the workspace whose turn it is; the workspace then goes to the end of the line. */
  private next(): Waiter | null {
    for (const queues of [this.waiting.high, this.waiting.normal]) {
      for (const [workspaceId, queue] of queues) {
        const waiter = queue.shift();
        queues.delete(workspaceId);
        if (queue.length > 0) queues.set(workspaceId, queue);
        if (waiter) return waiter;
      }
    }
    return null;
  }

  private wake(delay: number): void {
    this.timer?.abort();
    const timer = new AbortController();
    this.timer = timer;
    this.sleep(Math.ceil(delay), timer.signal).then(
      () => {
        if (this.timer === timer) this.timer = null;
        this.admit();
      },
      () => undefined,
    );
  }
}
