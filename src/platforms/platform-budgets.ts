import type { BudgetState, RedisRequestBudget } from './http/redis-request-budget.js';

/** How much of the request budget of one source is used. */
export interface SourceBudget extends BudgetState {
  /** The platform's name, as in the progress of jobs. */
  source: string;
}

/** The request budgets that all processes share, by source. Sources without a request limit are not included. */
export class PlatformBudgets {
  constructor(private readonly budgets: Readonly<Record<'reddit' | 'hackernews', RedisRequestBudget>>) {}

  of(source: 'reddit' | 'hackernews'): RedisRequestBudget {
    return this.budgets[source];
  }

  /** How much of each budget is used. Throws while Redis is unavailable. */
  states(): Promise<SourceBudget[]> {
    return Promise.all(
      Object.entries(this.budgets).map(async ([source, budget]) => ({ source, ...(await budget.state()) })),
    );
  }
}
