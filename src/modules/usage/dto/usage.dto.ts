import type { Quota } from '../quota.js';

/** Limit and usage of one quota. */
export class QuotaUsageDto {
  /** 0 means no limit. */
  limit: number;
  used: number;
}

/** All quotas. Concurrency quotas show the usage of the responding process. */
export class QuotasDto implements Record<Quota, QuotaUsageDto> {
  pending_jobs: QuotaUsageDto;
  schedules: QuotaUsageDto;
  alerts: QuotaUsageDto;
  /** Sum over all alerts of keywords × forums; an alert without forums counts as one forum. */
  alert_keywords: QuotaUsageDto;
  webhooks: QuotaUsageDto;
  api_keys: QuotaUsageDto;
  media_bytes: QuotaUsageDto;
  concurrent_searches: QuotaUsageDto;
  event_streams: QuotaUsageDto;
  running_exports: QuotaUsageDto;
}

/** What the workspace has stored. */
export class StorageDto {
  posts: number;
  comments: number;
  media_bytes: number;
}

/** Usage and limits of a workspace. */
export class UsageDto {
  quotas: QuotasDto;
  storage: StorageDto;
  /** Requests with API keys of the workspace in the last minute, with a precision of 10 s. */
  requests_last_minute: number;
}
