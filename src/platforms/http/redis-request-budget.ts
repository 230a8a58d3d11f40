import { createHash, randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { GRANT, type Script, STATE, UPDATE } from './budget-scripts.js';
import {
  GRANT_WEIGHT_MS,
  HEAD_START_MS,
  InProcessBudgetStore,
  LOW_RANK_MS,
  SAME_WINDOW_MS,
  spareOf,
} from './in-process-request-budget.js';
import {
  type BudgetCandidate,
  type BudgetStore,
  type Grant,
  QueuedRequestBudget,
  type RateLimit,
  type WindowUpdate,
  withinBoth,
} from './request-budget.js';

/** Maximum time between two attempts of a waiting process. */
const MAX_POLL_MS = 500;
/** Polling interval while another process has its turn. */
const TURN_POLL_MS = 20;
/** A candidate that its process does not repeat for this long (cancelled or killed) loses its turn. */
const CANDIDATE_EXPIRY_MS = 1_500;
/**
 * Share of the limit that is kept for workspaces with less than an equal share of the recent requests, while there are
 * several, so that a small job does not wait until the requests of a large one are a minute old.
 */
const RESERVED = 0.25;
/**
 * Share of the limit until the end of the platform's window that is kept for them. At the end that is
 * nothing, so no request is lost.
 */
const RESERVED_OF_WINDOW = 0.5;
/**
 * Share of the budget that every process uses while Redis is unavailable: within the limit for up to four processes.
 */
const SHARE_WITHOUT_REDIS = 0.25;
const REDIS_RETRY_MS = 5_000;

/** How much of a budget is used, over all processes. */
export interface BudgetState {
  /** Maximum number of requests within `withinMs` milliseconds. */
  limit: number;
  withinMs: number;
  /** Requests of the last `withinMs` milliseconds. */
  used: number;
  /** Requests that may be sent now: by the limit, and by the platform's window where it reports one. */
  remaining: number;
  /** Number of waiting candidates: one for each workspace and priority. */
  waiting: number;
  /** Milliseconds to the end of the platform's window; null when it reports none. */
  windowEndsInMs: number | null;
}

/** The budget in Redis. While Redis is unavailable, each process continues with a share of its own. */
class RedisBudgetStore implements BudgetStore {
  private readonly keys: { window: string; all: string[] };
  private readonly insurance: InProcessBudgetStore;
  private redisRetryAt = 0;
  private limit: RateLimit;

  constructor(
    private readonly redis: Redis,
    clientId: string,
    private readonly own: RateLimit,
  ) {
    this.limit = own;
    const client = createHash('sha256').update(clientId).digest('hex').slice(0, 16);
    const all = ['began', 'window', 'waiting', 'alive', 'served', 'used'].map(
      (name) => `wss:budget:{${client}}:${name}`,
    );
    this.keys = { window: all[1]!, all };
    this.insurance = new InProcessBudgetStore(shareOf(own));
  }

  limitTo(stated: RateLimit): void {
    this.limit = withinBoth(this.own, stated);
    this.insurance.limitTo(shareOf(stated));
  }

  async grant(candidates: readonly BudgetCandidate[]): Promise<Grant> {
    if (performance.now() >= this.redisRetryAt) {
      try {
        const { requests, withinMs } = this.limit;
        const spare = spareOf(this.limit);
        const settings = [
          requests,
          withinMs,
          CANDIDATE_EXPIRY_MS,
          GRANT_WEIGHT_MS,
          HEAD_START_MS,
          LOW_RANK_MS,
          spare.began,
          spare.remaining,
          Math.floor(requests * RESERVED),
          (requests * RESERVED_OF_WINDOW) / withinMs,
          randomUUID(),
        ];
        const pairs = candidates.flatMap(({ priority, workspaceId }) => [priority, workspaceId]);
        const [index, delay] = (await this.run(GRANT, this.keys.all, [...settings, ...pairs])) as [
          number,
          number,
        ];
        const waitMs = delay === 0 ? TURN_POLL_MS : Math.min(delay, MAX_POLL_MS);
        return { index, waitMs, freeInMs: delay };
      } catch {
        this.redisRetryAt = performance.now() + REDIS_RETRY_MS;
      }
    }
    const grant = await this.insurance.grant(candidates);
    return { ...grant, waitMs: Math.min(grant.waitMs, MAX_POLL_MS) };
  }

  async update(update: WindowUpdate): Promise<void> {
    void this.insurance.update(update);
    const parameters =
      update === 'uncounted' ? [update] : [update.remaining, update.endsInMs, SAME_WINDOW_MS];
    // A lost update is corrected by the next response.
    await this.run(UPDATE, [this.keys.window], parameters).catch(() => undefined);
  }

  /** How much of the budget is used. Throws while Redis is unavailable. */
  async state(): Promise<BudgetState> {
    const { requests: limit, withinMs } = this.limit;
    const [began, window, waiting] = this.keys.all as [string, string, string];
    const [used, left, endsInMs, waiters] = (await this.run(STATE, [began, window, waiting], [withinMs])) as [
      number,
      number,
      number,
      number,
    ];
    const ofLimit = Math.max(0, limit - used);
    return {
      limit,
      withinMs,
      used,
      remaining: endsInMs < 0 ? ofLimit : Math.min(ofLimit, Math.max(0, left)),
      waiting: waiters,
      windowEndsInMs: endsInMs < 0 ? null : endsInMs,
    };
  }

  /** Runs a script by its hash, or by its text when Redis does not have it cached. */
  private async run(
    { text, sha1 }: Script,
    keys: string[],
    parameters: (string | number)[],
  ): Promise<unknown> {
    try {
      return await this.redis.evalsha(sha1, keys.length, ...keys, ...parameters);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return this.redis.eval(text, keys.length, ...keys, ...parameters);
    }
  }
}

/** The limit of one process while Redis is unavailable. */
function shareOf({ requests, withinMs }: RateLimit): RateLimit {
  return { requests: Math.max(1, Math.floor(requests * SHARE_WITHOUT_REDIS)), withinMs };
}

/** The request budget that all processes with the same client id share through Redis. */
export class RedisRequestBudget extends QueuedRequestBudget {
  private readonly shared: RedisBudgetStore;

  constructor(redis: Redis, clientId: string, limit: RateLimit) {
    const store = new RedisBudgetStore(redis, clientId, limit);
    super(store);
    this.shared = store;
  }

  /** How much of the budget is used, over all processes. Throws while Redis is unavailable. */
  state(): Promise<BudgetState> {
    return this.shared.state();
  }
}
