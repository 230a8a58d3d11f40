import { ApiProperty } from '@nestjs/swagger';
import { QUOTAS } from '../../../config/quotas.js';

/** Limit and usage of one quota. */
export class QuotaUsageDto {
  /** 0 means no limit. */
  limit: number;
  used: number;
}

/** All quotas. Concurrency quotas show the usage of the responding process. */
export class QuotasDto {}

QUOTAS.each(({ name, description }) =>
  ApiProperty({ type: QuotaUsageDto, ...(description !== undefined && { description }) })(
    QuotasDto.prototype,
    name,
  ),
);

/** Rows and bytes that the workspace stores. */
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
