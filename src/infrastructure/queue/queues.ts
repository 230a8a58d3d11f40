import type { AdvancedSettings, JobOptions } from 'bull';

/** Queue names and their payloads. Payloads carry ids only: a processor reloads what is true now from Postgres. */
export const QUEUE_PREFIX = 'wss';

export const SCRAPE_QUEUE = 'scrape';
export interface ScrapePayload {
  workspaceId: string;
  jobId: string;
}

/** Retries are decided in Postgres, so a queue entry is tried once and leaves nothing behind. */
export const QUEUE_ENTRY_OPTIONS: JobOptions = { attempts: 1, removeOnComplete: true, removeOnFail: true };

/** An entry whose worker died is handed out again within seconds; doing so twice is harmless, since rows are claimed. */
export const QUEUE_SETTINGS: AdvancedSettings = {
  lockDuration: 15_000,
  stalledInterval: 5_000,
  maxStalledCount: 5,
};
