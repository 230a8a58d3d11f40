import type { Environment } from '../../config/environment.js';

/** Quotas on what a workspace stores; checked in the transaction that adds the rows. */
export const STOCK_QUOTAS = [
  'pending_jobs',
  'schedules',
  'alerts',
  'alert_keywords',
  'webhooks',
  'api_keys',
  'media_bytes',
] as const;

/** Quotas on what a workspace runs concurrently; counted separately by each API process. */
export const CONCURRENCY_QUOTAS = ['concurrent_searches', 'event_streams', 'running_exports'] as const;

/** Name of a stock quota. */
export type StockQuota = (typeof STOCK_QUOTAS)[number];
/** Name of a concurrency quota. */
export type ConcurrencyQuota = (typeof CONCURRENCY_QUOTAS)[number];
/** Name of any quota. */
export type Quota = StockQuota | ConcurrencyQuota;

/** The operator's limit for every workspace, from `QUOTA_<NAME>`; 0 means no limit. */
export function defaultLimit(environment: Environment, quota: Quota): number {
  return environment[`QUOTA_${quota.toUpperCase() as Uppercase<Quota>}`];
}
