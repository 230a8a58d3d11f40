import { LRUCache } from 'lru-cache';

const MAX_CLIENTS = 1_000;

/** The result of counting one request. */
export interface Spending {
  /** Within the budget. */
  allowed: boolean;
  /** The `x-ratelimit-*` headers of the response. */
  headers: Record<string, string>;
}

/** Limits each client id to a number of requests per window; windows begin at whole multiples of their length. */
export class Budget {
  private readonly used = new LRUCache<string, { window: number; requests: number }>({ max: MAX_CLIENTS });
  private readonly allowance: number;

  constructor(
    requestsPerMinute: number,
    private readonly windowSeconds: number,
    private readonly now: () => number,
  ) {
    this.allowance = Math.max(1, Math.round((requestsPerMinute * windowSeconds) / 60));
  }

  spend(clientId: string): Spending {
    const seconds = this.now() / 1000;
    const window = Math.floor(seconds / this.windowSeconds);
    let spent = this.used.get(clientId);
    if (spent?.window !== window) {
      spent = { window, requests: 0 };
      this.used.set(clientId, spent);
    }
    const allowed = spent.requests < this.allowance;
    if (allowed) spent.requests++;
    return {
      allowed,
      headers: {
        'x-ratelimit-used': String(spent.requests),
        'x-ratelimit-remaining': (this.allowance - spent.requests).toFixed(1),
        'x-ratelimit-reset': String(Math.ceil((window + 1) * this.windowSeconds - seconds)),
      },
    };
  }
}
