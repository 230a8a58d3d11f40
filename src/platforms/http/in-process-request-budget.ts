import {
  type BudgetCandidate,
  type BudgetStore,
  type Grant,
  perMinute,
  QueuedRequestBudget,
  type RateLimit,
  type WindowUpdate,
  withinBoth,
} from './request-budget.js';

/**
 * Waiting candidates are granted by ascending rank: `served requests x GRANT_WEIGHT_MS + time of arrival - head start`.
 * Workspaces therefore take turns, and within a turn urgent requests go first. A waiting request gains one turn every
 * GRANT_WEIGHT_MS, so none starves except `low` requests, which only use spare capacity. A workspace that was idle
 * starts with the served requests of the most recently served workspace, so that idle time earns no extra turns
 * (start-time fair queueing).
 */
export const GRANT_WEIGHT_MS = 60_000;
/** Head start of `high` requests. Less than {@link GRANT_WEIGHT_MS}, so that it never amounts to a second request. */
export const HEAD_START_MS = 30_000;
/** `low` requests rank after all others, however long those have waited. */
export const LOW_RANK_MS = 2 ** 52;
/**
 * Number of requests that must be left in the platform's window for a `low` request, unless half of the limit is less.
 */
const SPARE_IN_WINDOW = 50;
/** Two responses describe the same window when its ends differ by less than this. */
export const SAME_WINDOW_MS = 5_000;
const MAX_REMEMBERED_WORKSPACES = 1_000;

/**
 * The condition for granting a `low` request: fewer than `began` requests within the limit's period, and `remaining`
 * ones left in the platform's window. Half of the budget thus stays free for a job that starts.
 */
export function spareOf({ requests }: RateLimit): { began: number; remaining: number } {
  const began = Math.max(1, Math.floor(requests / 2));
  return { began, remaining: Math.min(began, SPARE_IN_WINDOW) };
}

/** The budget of one process: stays within its limit and within the rest of the platform's window. */
export class InProcessBudgetStore implements BudgetStore {
  /** Start times of the requests within the limit's period, oldest first, from index `oldest` on. */
  private began: number[] = [];
  private oldest = 0;
  private window: { remaining: number; endsAt: number } | null = null;
  private ranks = new Map<string, number>();
  /** Served requests of workspaces that are ahead of `lastStart`. */
  private readonly served = new Map<string, number>();
  /** The highest number of served requests that a granted workspace had before its grant. */
  private lastStart = 0;
  private limit: RateLimit;

  constructor(
    private readonly own: RateLimit,
    private readonly now: () => number = Date.now,
  ) {
    this.limit = own;
  }

  limitTo(stated: RateLimit): void {
    this.limit = withinBoth(this.own, stated);
  }

  grant(candidates: readonly BudgetCandidate[]): Promise<Grant> {
    const now = this.now();
    const ranks = candidates.map((candidate) => this.rankOf(candidate, now));
    this.ranks = new Map(candidates.map((candidate, index) => [keyOf(candidate), ranks[index]!]));
    const index = ranks.indexOf(Math.min(...ranks));
    const next = candidates[index];
    const waitMs = this.delay(now, next?.priority === 'low');
    if (waitMs > 0 || !next) return Promise.resolve({ index: -1, waitMs, freeInMs: waitMs });
    this.ranks.delete(keyOf(next));
    this.began.push(now);
    if (this.window) this.window.remaining -= 1;
    // Does not count as a turn of the workspace.
    if (next.priority === 'low') return Promise.resolve({ index, waitMs: 0, freeInMs: 0 });
    this.lastStart = this.startOf(next.workspaceId);
    this.served.set(next.workspaceId, this.lastStart + 1);
    if (this.served.size > MAX_REMEMBERED_WORKSPACES)
      for (const [workspaceId, served] of this.served)
        if (served <= this.lastStart) this.served.delete(workspaceId);
    return Promise.resolve({ index, waitMs: 0, freeInMs: 0 });
  }

  update(update: WindowUpdate): Promise<void> {
    const open = this.openWindow(this.now());
    if (update === 'uncounted') {
      if (open) open.remaining += 1;
      return Promise.resolve();
    }
    const endsAt = this.now() + update.endsInMs;
    const isSame = open !== null && Math.abs(open.endsAt - endsAt) < SAME_WINDOW_MS;
    this.window = {
      remaining: isSame ? Math.min(open.remaining, update.remaining) : update.remaining,
      endsAt,
    };
    return Promise.resolve();
  }

  private rankOf(candidate: BudgetCandidate, now: number): number {
    const known = this.ranks.get(keyOf(candidate));
    if (known !== undefined) return known;
    if (candidate.priority === 'low') return LOW_RANK_MS + now;
    const headStart = candidate.priority === 'high' ? HEAD_START_MS : 0;
    return this.startOf(candidate.workspaceId) * GRANT_WEIGHT_MS + now - headStart;
  }

  private startOf(workspaceId: string): number {
    return Math.max(this.lastStart, this.served.get(workspaceId) ?? 0);
  }

  /** Milliseconds until the next request, or the next `low` request, may start; 0 for now. */
  private delay(now: number, isLow: boolean): number {
    const { withinMs } = this.limit;
    const spare = spareOf(this.limit);
    const requests = isLow ? spare.began : this.limit.requests;
    while (this.oldest < this.began.length && this.began[this.oldest]! <= now - withinMs) this.oldest += 1;
    if (this.oldest > 1_024 && this.oldest * 2 > this.began.length) {
      this.began = this.began.slice(this.oldest);
      this.oldest = 0;
    }
    const count = this.began.length - this.oldest;
    const pace = count < requests ? 0 : this.began[this.began.length - requests]! + withinMs - now;
    const window = this.openWindow(now);
    return Math.max(
      pace,
      window !== null && window.remaining < (isLow ? spare.remaining : 1) ? window.endsAt - now : 0,
    );
  }

  private openWindow(now: number): { remaining: number; endsAt: number } | null {
    if (this.window !== null && this.window.endsAt <= now) this.window = null;
    return this.window;
  }
}

function keyOf({ workspaceId, priority }: BudgetCandidate): string {
  return `${priority} ${workspaceId}`;
}

/** A request budget of one process, without Redis. */
export class InProcessRequestBudget extends QueuedRequestBudget {
  constructor(
    requests: number,
    now?: () => number,
    sleep?: (milliseconds: number, signal: AbortSignal) => Promise<unknown>,
  ) {
    super(new InProcessBudgetStore(perMinute(requests), now), sleep);
  }
}
