import { Counter, Histogram } from 'prom-client';
import type { PlatformSession } from '../platform.js';
import { SessionConcurrencyLimit } from './concurrency-limit.js';
import { parseRateLimit, type RateLimit, type RequestBudget } from './request-budget.js';
import type { RequestSender, WireRequest, WireResponse } from './requestor.js';

/** Requests by source and status; 0 stands for a request without a complete response. */
const platformRequests = new Counter({
  name: 'wss_platform_requests_total',
  help: 'Requests to source platforms by source and status; 0 means no complete response',
  labelNames: ['source', 'status'],
  registers: [],
});

/** Time for which a request waited for the shared budget, in seconds. */
const platformBudgetWait = new Histogram({
  name: 'wss_platform_budget_wait_seconds',
  help: 'Time that a request waited for the shared request budget',
  buckets: [0.01, 0.1, 0.5, 1, 5, 15, 60, 300, 900],
  registers: [],
});

/** Metrics of all sources of this process, for the registry of the process. */
export const platformMetrics = [platformRequests, platformBudgetWait];

const BUDGET_CAUSE = 'The request budget of the source, which all jobs share, is used up for now';

/** A request shows as a wait only after this time without a response. */
const SILENCE_SHOWN_AFTER_MS = 4_000;

/** Sends the requests of a source within its budget and each session's concurrency limit, and counts them. */
export class LimitedSender {
  private readonly concurrency = new SessionConcurrencyLimit();

  /** `source` names the platform in metrics; `budget` is null for a source without a request limit. */
  constructor(
    private readonly source: string,
    private readonly requestor: RequestSender,
    private readonly budget: RequestBudget | null,
  ) {}

  /** Stays within a limit that the source states, too. */
  limitTo(stated: RateLimit): void {
    this.budget?.limitTo(stated);
  }

  /**
   * Sends when budget and concurrency limit allow it; urgent requests start before others of their session. Throws the
   * errors of the budget and the requestor, or the session's abort reason.
   */
  async send(wire: WireRequest, session: PlatformSession, isUrgent: boolean): Promise<WireResponse> {
    const began = performance.now();
    if (this.budget !== null) await acquireShown(this.budget, session);
    const waitedMs = performance.now() - began;
    session.onBudgetWait?.(waitedMs);
    platformBudgetWait.observe(waitedMs / 1_000);
    let response: WireResponse | null = null;
    let isSent = false;
    try {
      response = await this.concurrency.run(session, isUrgent, () => {
        session.signal.throwIfAborted();
        isSent = true;
        session.onRequest();
        return showingSilence(session, this.requestor.limits.totalMs, () =>
          this.requestor.send(wire, session.signal),
        );
      });
      return response;
    } finally {
      const status = response?.status ?? 0;
      if (isSent) platformRequests.inc({ source: this.source, status });
      this.budget?.report(response && parseRateLimit(response.headers, Date.now()), status);
    }
  }
}

/** Acquires a request from the budget, and shows the wait for it to the session. */
async function acquireShown(budget: RequestBudget, session: PlatformSession): Promise<void> {
  const endWait = session.onWait?.({
    reason: 'budget',
    cause: BUDGET_CAUSE,
    get until() {
      return budget.nextRequestAt;
    },
  });
  try {
    await budget.acquire(session);
  } finally {
    endWait?.();
  }
}

/** Shows a request without a response for some seconds to the session, as a wait until its timeout. */
async function showingSilence<T>(
  session: PlatformSession,
  timeoutMs: number,
  send: () => Promise<T>,
): Promise<T> {
  const until = new Date(Date.now() + timeoutMs);
  let endWait: (() => void) | undefined;
  const timer = setTimeout(() => {
    endWait = session.onWait?.({
      reason: 'retry',
      until,
      cause: `The source has not responded for more than ${SILENCE_SHOWN_AFTER_MS / 1_000} s; the request is retried if it times out`,
    });
  }, SILENCE_SHOWN_AFTER_MS);
  try {
    return await send();
  } finally {
    clearTimeout(timer);
    endWait?.();
  }
}
