import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { ApiProblems } from '../../http/problems/problem.openapi.js';
import { WorkspaceId } from '../../http/request/workspace.decorator.js';
import { AnalyticsService } from './analytics.service.js';
import {
  FacetsDto,
  FacetsQueryDto,
  KeywordCountsDto,
  KeywordsQueryDto,
  TimeSeriesDto,
  TimeSeriesQueryDto,
} from './dto/analytics.dto.js';
import { SpikesDto, SpikesQueryDto } from './dto/spikes.dto.js';
import { SpikesService } from './spikes.service.js';

@Controller('workspaces/:workspace_id/analytics')
export class AnalyticsController {
  constructor(
    private readonly analytics: AnalyticsService,
    private readonly spikeFinder: SpikesService,
  ) {}

  @Get('facets')
  @ApiOperation({
    summary: 'Count matches by value',
    description:
      'Exact counts of the posts or comments that match the filters, grouped by the values of the fields in `by`: most frequent first, ties sorted by value. Forums, authors and flairs are counted regardless of letter case.',
  })
  @ApiProblems('search_timeout', 'too_many_concurrent_requests')
  facets(@WorkspaceId() workspaceId: string, @Query() query: FacetsQueryDto): Promise<FacetsDto> {
    return this.analytics.facets(workspaceId, query);
  }

  @Get('timeseries')
  @ApiOperation({
    summary: 'Count matches over time',
    description:
      'Counts and mean sentiment by hour, day, week or month in a time zone, from the first match (or `created_after`) to the last match (or `created_before`). Includes empty buckets; at most 2,000 buckets.',
  })
  @ApiProblems('search_timeout', 'too_many_concurrent_requests')
  timeSeries(@WorkspaceId() workspaceId: string, @Query() query: TimeSeriesQueryDto): Promise<TimeSeriesDto> {
    return this.analytics.timeSeries(workspaceId, query);
  }

  @Get('keywords')
  @ApiOperation({
    summary: 'List frequent keywords',
    description:
      'The most frequent keywords of the posts that match the filters, or with `rank=significance` those that distinguish them from the rest of the workspace. With both `created_after` and `created_before`, each also has its count in the preceding period of the same length, and the change.',
  })
  @ApiProblems('search_timeout', 'too_many_concurrent_requests')
  keywords(@WorkspaceId() workspaceId: string, @Query() query: KeywordsQueryDto): Promise<KeywordCountsDto> {
    return this.analytics.keywords(workspaceId, query);
  }

  @Get('spikes')
  @ApiOperation({
    summary: 'Find spikes',
    description:
      'Hours or days with unusually many posts or comments that match the filters, each with the keywords that distinguish it and its most discussed posts. The detector learns the usual level and rhythm from the period before `created_after`. Without dates, reads the newest 2,000 buckets. At most 10 spikes, those with the largest scores.',
  })
  @ApiProblems('search_timeout', 'too_many_concurrent_requests')
  spikes(@WorkspaceId() workspaceId: string, @Query() query: SpikesQueryDto): Promise<SpikesDto> {
    return this.spikeFinder.find(workspaceId, query);
  }
}
