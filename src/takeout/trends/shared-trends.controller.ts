import { Controller, Get, Header, Query, Req } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import type { Request } from 'express';
import { Clock } from '../../common/clock.js';
import { RowSecurity } from '../../database/row-security.js';
import { Problem } from '../../http/problems/problem.js';
import { ApiProblems } from '../../http/problems/problem.openapi.js';
import { Public } from '../../http/request/public.decorator.js';
import { addressOf } from '../../http/request/request.js';
import { RequestLimits } from '../../infrastructure/rate-limit/request-limits.js';
import { InactiveWorkspaces } from '../../tenants/workspaces/inactive-workspaces.js';
import { SharedTrendDto, SharedTrendQueryDto } from './pinned-trend.dto.js';
import { PinnedTrendsRepository } from './pinned-trends.repository.js';
import { hashOfLink } from './pinned-trends.service.js';
import { TrendSeries } from './trend-series.js';

@Controller('shared/trends')
@Public()
export class SharedTrendsController {
  constructor(
    private readonly pins: PinnedTrendsRepository,
    private readonly series: TrendSeries,
    private readonly limits: RequestLimits,
    private readonly inactive: InactiveWorkspaces,
    private readonly rowSecurity: RowSecurity,
    private readonly clock: Clock,
  ) {}

  @Get()
  // A browser that keeps it would show it after the end of the link.
  @Header('Cache-Control', 'private, no-cache')
  @ApiOperation({
    summary: 'Read a shared trend',
    description:
      'What the chart of a pinned trend counts, at most a minute old, by the token of its read-only link, which is the only credential.',
  })
  @ApiProblems(
    'not_found',
    'workspace_suspended',
    'rate_limited',
    'search_timeout',
    'too_many_concurrent_requests',
  )
  async get(@Query() query: SharedTrendQueryDto, @Req() request: Request): Promise<SharedTrendDto> {
    const { token, timezone = 'UTC' } = query;
    const pin = await this.pins.findByLink(hashOfLink(token), this.clock.now());
    if (pin === null) {
      const problem = Problem.notFound('link');
      // Tokens cannot be guessed; who tries is slowed down like one who tries keys.
      await this.limits.countFailure(addressOf(request), problem);
      throw problem;
    }
    const { workspaceId, trend, linkExpiresAt } = pin;
    this.inactive.requireActive(workspaceId);
    this.rowSecurity.enter(workspaceId);
    const read = await this.series.readKept(workspaceId, trend, timezone);
    return { ...trend, ...read, expires_at: linkExpiresAt! };
  }
}
