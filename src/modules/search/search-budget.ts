import { LRUCache } from 'lru-cache';

/** Milliseconds of search time that a workspace may use before its searches run one at a time. */
const BURST_MS = 3_000;
/** Milliseconds of search time that are refilled each second. */
const REFILL_MS = 250;
/**
 * Maximum milliseconds by which a workspace can exceed its budget: after 12 s without a search it is within budget
 * again.
 */
const MAX_EXCESS_MS = 3_000;
/** Milliseconds of each search that are not counted: searches this short do not delay those of other workspaces. */
const FREE_MS = 20;
const MAX_WORKSPACES = 10_000;

interface Use {
  /** Milliseconds of search time not yet refilled at `at`. */
  ms: number;
  /** The `performance.now()` for which `ms` is valid. */
  at: number;
}

/** Recent search time of each workspace in this process (a leaky bucket for each). */
export class SearchBudget {
  private readonly uses = new LRUCache<string, Use>({ max: MAX_WORKSPACES });

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Whether the workspace has used more search time than its budget. */
  isExceeded(workspaceId: string): boolean {
    return this.used(workspaceId) > BURST_MS;
  }

  /** Adds the time that a search ran, in milliseconds, except for its first {@link FREE_MS}. */
  spend(workspaceId: string, ms: number): void {
    const used = Math.min(BURST_MS + MAX_EXCESS_MS, this.used(workspaceId) + Math.max(0, ms - FREE_MS));
    this.uses.set(workspaceId, { ms: used, at: this.now() });
  }

  private used(workspaceId: string): number {
    const use = this.uses.get(workspaceId);
    if (use === undefined) return 0;
    return Math.max(0, use.ms - ((this.now() - use.at) / 1_000) * REFILL_MS);
  }
}
