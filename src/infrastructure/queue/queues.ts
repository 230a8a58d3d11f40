import type { AdvancedSettings, JobOptions } from 'bull';

/** Prefix of all queue keys in Redis. */
export const QUEUE_PREFIX = 'wss';

/** Wakes workers when a job is waiting. */
export const SCRAPE_QUEUE = 'scrape';
/** Payloads contain only ids: processors read the current state from Postgres. */
export interface ScrapePayload {
  workspaceId: string;
  jobId: string;
}

/** Retries are decided in Postgres, so a queue entry is attempted once and removed afterwards. */
export const QUEUE_ENTRY_OPTIONS: JobOptions = { attempts: 1, removeOnComplete: true, removeOnFail: true };

/**
 * An entry whose process was killed is processed again within seconds. Processing it twice is harmless, because rows
 * are claimed.
 */
export const QUEUE_SETTINGS: AdvancedSettings = {
  lockDuration: 15_000,
  stalledInterval: 5_000,
  maxStalledCount: 5,
};
