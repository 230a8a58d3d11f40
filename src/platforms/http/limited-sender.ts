import { type PlatformSession } from '../platform.js';
import { SessionConcurrencyLimit } from './concurrency-limit.js';
import { parseRateLimit, type RequestBudget } from './request-budget.js';
import { type Requestor, type WireRequest, type WireResponse } from './requestor.js';

/** Sends the requests of a source within its budget and each session's concurrency limit, and counts them. */
export class LimitedSender {
  private readonly concurrency = new SessionConcurrencyLimit();

  /** `budget` is null for a source without one. */
  constructor(
    private readonly requestor: Requestor,
    private readonly budget: RequestBudget | null,
  ) {}

  /**
   * Sends when budget and concurrency limit allow it; urgent requests start before others of their session. Throws what the
   * budget and the requestor throw, or the session's abort reason.
   */
  async send(wire: WireRequest, session: PlatformSession, isUrgent: boolean): Promise<WireResponse> {
    const began = performance.now();
    await this.budget?.acquire(session);
    session.onBudgetWait?.(performance.now() - began);
    let response: WireResponse | null = null;
    try {
      response = await this.concurrency.run(session, isUrgent, () => {
        session.signal.throwIfAborted();
        session.onRequest();
        return this.requestor.send(wire, session.signal);
      });
      return response;
    } finally {
      this.budget?.report(response && parseRateLimit(response.headers), response?.status ?? 0);
    }
  }
}
