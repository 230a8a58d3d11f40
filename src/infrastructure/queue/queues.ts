import type { JobOptions } from 'bull';

/** Queue names and their payloads. Payloads carry ids only: a processor reloads what is true now from Postgres. */
export const QUEUE_PREFIX = 'wss';

export const SCRAPE_QUEUE = 'scrape';
export interface ScrapePayload {
  workspaceId: string;
  jobId: string;
}

export const DELIVERY_QUEUE = 'delivery';
export interface DeliveryPayload {
  workspaceId: string;
  deliveryId: string;
}

/** Retries are decided in Postgres, so a queue entry is tried once and leaves nothing behind. */
export const QUEUE_ENTRY_OPTIONS: JobOptions = { attempts: 1, removeOnComplete: true, removeOnFail: true };
