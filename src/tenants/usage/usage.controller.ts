import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { NoQueryDto } from '../../http/parameters/no-query.dto.js';
import { WorkspaceId } from '../../http/request/workspace.decorator.js';
import { type QuotaUsageDto, UsageDto } from './dto/usage.dto.js';
import { ConcurrencyQuotas } from './concurrency-quotas.js';
import { type Quota, QUOTAS } from '../../config/quotas.js';
import { QuotasService } from './quotas.service.js';
import { RequestCounter } from './request-counter.js';

@Controller('workspaces/:workspace_id/usage')
export class UsageController {
  constructor(
    private readonly quotas: QuotasService,
    private readonly concurrency: ConcurrencyQuotas,
    private readonly requests: RequestCounter,
  ) {}

  @Get()
  @ApiOperation({
    summary: "Get the workspace's usage",
    description: 'Limit and usage of every quota, stored rows and bytes, and requests in the last minute.',
  })
  async get(@WorkspaceId() workspaceId: string, @Query() _query: NoQueryDto): Promise<UsageDto> {
    const limits = await this.quotas.limits(workspaceId);
    const usages = QUOTAS.all.map(async ({ name, kind }): Promise<[string, QuotaUsageDto]> => {
      const used =
        kind === 'stock'
          ? await this.quotas.used(name, workspaceId)
          : this.concurrency.used(workspaceId, name);
      return [name, { limit: limits[name as Quota], used }];
    });
    const quotas = Object.fromEntries(await Promise.all(usages)) as Record<Quota, QuotaUsageDto>;
    return {
      quotas,
      storage: {
        posts: await this.quotas.used('posts', workspaceId),
        comments: await this.quotas.used('comments', workspaceId),
        media_bytes: quotas.media_bytes.used,
      },
      requests_last_minute: await this.requests.lastMinute(workspaceId),
    };
  }
}
