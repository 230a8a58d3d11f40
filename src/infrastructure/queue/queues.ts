import type { AdvancedSettings, JobOptions } from 'bull';

/** Prefix of all keys of the queues in Redis. */
export const QUEUE_PREFIX = 'wss';

/** Wakes workers when a job is waiting. */
export const SCRAPE_QUEUE = 'scrape';
/** Payloads carry ids only: processors read the current state from Postgres. */
export interface ScrapePayload {
  workspaceId: string;
  jobId: string;
}

/** Retries are decided in Postgres, so a queue entry is tried once and leaves nothing behind. */
export const QUEUE_ENTRY_OPTIONS: JobOptions = { attempts: 1, removeOnComplete: true, removeOnFail: true };

/** An entry whose process was killed is processed again within seconds; twice is harmless, since rows are claimed. */
export const QUEUE_SETTINGS: AdvancedSettings = {
  lockDuration: 15_000,
  stalledInterval: 5_000,
  maxStalledCount: 5,
};
