import { Counter, Histogram } from 'prom-client';

/** Requests by source and status; 0 stands for a request without a complete response. */
export const platformRequests = new Counter({
  name: 'wss_platform_requests_total',
  help: 'Requests to source platforms by source and status, 0 without a complete response',
  labelNames: ['source', 'status'],
  registers: [],
});

/** Time for which a request waited for the shared budget, in seconds. */
export const platformBudgetWait = new Histogram({
  name: 'wss_platform_budget_wait_seconds',
  help: 'Time for which a request waited for the shared budget',
  buckets: [0.01, 0.1, 0.5, 1, 5, 15, 60, 300, 900],
  registers: [],
});

/** Metrics of all sources of this process, for the registry of the process. */
export const platformMetrics = [platformRequests, platformBudgetWait];
