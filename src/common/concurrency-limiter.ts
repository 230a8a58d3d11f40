import { FairTurns, NoTurnError } from './fair-turns.js';

/** How long a request waits for one of the workspace's earlier requests to end before it is refused. */
const WAIT_MS = 1_000;
const MAX_WAITERS = 1_000;

/** A workspace already runs as many requests of a kind as it may at once. */
export class TooManyConcurrentRequestsError extends Error {
  constructor(
    readonly quota: string,
    readonly limit: number,
  ) {
    super(`quota ${quota} of ${limit} is used up`);
  }
}

/** Limits how many requests of one kind each workspace runs at once in this process. */
export class ConcurrencyLimiter {
  private readonly turns: FairTurns;

  /** `name` is the quota's name in the interface, e.g. `concurrent_searches`. A limit of 0 is none. */
  constructor(
    private readonly name: string,
    private readonly limit: number,
  ) {
    this.turns = new FairTurns({ total: Infinity, perTenant: limit || Infinity, waiting: MAX_WAITERS });
  }

  /**
   * Waits up to a second for a place, so that bursts of short requests pass. Call the returned function once when the
   * request has ended. Throws {@link TooManyConcurrentRequestsError}.
   */
  async enter(workspaceId: string, signal?: AbortSignal): Promise<() => void> {
    try {
      return await this.turns.take(workspaceId, WAIT_MS, signal);
    } catch (error) {
      if (error instanceof NoTurnError) throw new TooManyConcurrentRequestsError(this.name, this.limit);
      throw error;
    }
  }

  /** Requests of a workspace that run or wait. */
  used(workspaceId: string): number {
    return this.turns.countOf(workspaceId);
  }
}
