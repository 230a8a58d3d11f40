import { type RetryPolicy } from '../http/retry-policy.js';

/** The retries of requests to Reddit. */
export const REDDIT_RETRIES: RetryPolicy = {
  rules: {
    network: { retries: 8, baseMs: 250, capMs: 30_000, failsAs: 'unavailable' },
    server: { retries: 8, baseMs: 250, capMs: 30_000, failsAs: 'unavailable' },
    unreadable: { retries: 8, baseMs: 250, capMs: 15_000, failsAs: 'bad_answer' },
    rate_limited: { retries: 8, baseMs: 500, capMs: 30_000, failsAs: 'rate_limited' },
    blocked: { retries: 2, baseMs: 1_000, capMs: 5_000, failsAs: 'blocked' },
    unauthorized: { retries: 4, baseMs: 0, capMs: 0, failsAs: 'credentials_refused' },
  },
  remedies: {
    rate_limited: 'Lower PLATFORM_REQUESTS_PER_MINUTE, or see what else uses this client id',
    blocked: 'Check PLATFORM_USER_AGENT, the OAuth application and the address this service runs from',
    unauthorized: 'Check PLATFORM_CLIENT_ID and PLATFORM_CLIENT_SECRET',
  },
};
