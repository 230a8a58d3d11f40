import { LRUCache } from 'lru-cache';

const MAX_TENANTS = 10_000;

/** The sizes of a {@link RefilledBudget}, in the caller's unit. */
export interface BudgetSizes {
  /** How much a tenant may use at once. */
  burst: number;
  refillPerSecond: number;
  /** Maximum excess, which limits how long a tenant must wait until it is within its budget again. */
  maxExcess: number;
}

interface Use {
  /** The amount that was used and not yet refilled at `at`. */
  amount: number;
  /** The `performance.now()` for which `amount` is valid. */
  at: number;
}

/** The recent use of each tenant in this process (a leaky bucket for each). */
export class RefilledBudget {
  private readonly uses = new LRUCache<string, Use>({ max: MAX_TENANTS });

  constructor(
    private readonly sizes: BudgetSizes,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Whether the tenant has used more than its budget. */
  isExceeded(tenantId: string): boolean {
    return this.used(tenantId) > this.sizes.burst;
  }

  spend(tenantId: string, amount: number): void {
    const { burst, maxExcess } = this.sizes;
    const used = Math.min(burst + maxExcess, this.used(tenantId) + amount);
    this.uses.set(tenantId, { amount: used, at: this.now() });
  }

  private used(tenantId: string): number {
    const use = this.uses.get(tenantId);
    if (use === undefined) return 0;
    return Math.max(0, use.amount - ((this.now() - use.at) / 1_000) * this.sizes.refillPerSecond);
  }
}
