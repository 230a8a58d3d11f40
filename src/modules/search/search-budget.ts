import { LRUCache } from 'lru-cache';

/** Milliseconds of search time that a workspace may use before its searches run one at a time. */
const BURST_MS = 3_000;
/** Milliseconds of search time that become available again in each second. */
const REFILL_MS = 250;
/** Milliseconds by which a workspace can be beyond its budget: after 12 s without a search it is within it again. */
const MAX_EXCESS_MS = 3_000;
const MAX_WORKSPACES = 10_000;

interface Use {
  /** Milliseconds of search time that were not available again at `at`. */
  ms: number;
  /** `performance.now()` at which `ms` was right. */
  at: number;
}

/** Which workspaces have used much search time lately, in this process (a leaky bucket for each). */
export class SearchBudget {
  private readonly uses = new LRUCache<string, Use>({ max: MAX_WORKSPACES });

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Whether the workspace has used more search time than its budget. */
  isExceeded(workspaceId: string): boolean {
    return this.used(workspaceId) > BURST_MS;
  }

  /** Counts the milliseconds that a search ran. */
  spend(workspaceId: string, ms: number): void {
    const used = Math.min(BURST_MS + MAX_EXCESS_MS, this.used(workspaceId) + ms);
    this.uses.set(workspaceId, { ms: used, at: this.now() });
  }

  private used(workspaceId: string): number {
    const use = this.uses.get(workspaceId);
    if (use === undefined) return 0;
    return Math.max(0, use.ms - ((this.now() - use.at) / 1_000) * REFILL_MS);
  }
}
