import type { Redis } from 'ioredis';
import type { Environment } from '../config/environment.js';
import { type BudgetState, RedisRequestBudget } from './http/redis-request-budget.js';
import type { PlatformRegistry } from './platform-registry.js';

/** Maximum number of budgets of sites that a process keeps; the least recently created is dropped. */
const MAX_SITES = 1_000;

/** How much of one request budget is used. */
export interface SourceBudget extends BudgetState {
  /** The source as in the progress of jobs, with `:SITE` for one site of it. */
  source: string;
}

/** The request budgets that all processes share, one a source, or one a site for a source with sites. */
export class PlatformBudgets {
  private readonly ofSources = new Map<string, RedisRequestBudget>();
  private readonly ofSites = new Map<string, RedisRequestBudget>();

  constructor(
    private readonly registry: PlatformRegistry,
    private readonly environment: Environment,
    private readonly redis: Redis,
  ) {
    for (const { source, hasSites } of registry.all)
      if (!hasSites) this.ofSources.set(source, this.create(source, null));
  }

  /** The budget of a source, or of one of its sites. */
  of(source: string, site: string | null = null): RedisRequestBudget {
    const budgets = site === null ? this.ofSources : this.ofSites;
    const name = site === null ? source : `${source}:${site}`;
    const known = budgets.get(name);
    if (known) return known;
    const budget = this.create(source, site);
    if (budgets.size >= MAX_SITES) budgets.delete(budgets.keys().next().value!);
    budgets.set(name, budget);
    return budget;
  }

  /** How much is used of each budget that this process has used. Throws while Redis is unavailable. */
  states(): Promise<SourceBudget[]> {
    return Promise.all(
      [...this.ofSources, ...this.ofSites].map(async ([source, budget]) => ({
        source,
        ...(await budget.state()),
      })),
    );
  }

  private create(source: string, site: string | null): RedisRequestBudget {
    const { key, limit } = this.registry.find(source)!.budget(this.environment, site);
    return new RedisRequestBudget(this.redis, key, limit);
  }
}
