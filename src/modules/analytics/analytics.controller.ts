import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { ApiProblems } from '../../http/problem.openapi.js';
import { WorkspaceId } from '../../http/workspace.decorator.js';
import { AnalyticsService } from './analytics.service.js';
import {
  FacetsDto,
  FacetsQueryDto,
  KeywordCountsDto,
  KeywordsQueryDto,
  TimeSeriesDto,
  TimeSeriesQueryDto,
} from './dto/analytics.dto.js';

@Controller('workspaces/:workspace_id/analytics')
export class AnalyticsController {
  constructor(private readonly analytics: AnalyticsService) {}

  @Get('facets')
  @ApiOperation({
    summary: 'Count matches by value',
    description:
      'Exact counts of the posts or comments that match the filters, by the values of the named fields: most frequent first, ties by value. Spellings of a forum, an author or a flair that differ in case count as one.',
  })
  @ApiProblems('search_timeout', 'too_many_concurrent_requests')
  facets(@WorkspaceId() workspaceId: string, @Query() query: FacetsQueryDto): Promise<FacetsDto> {
    return this.analytics.facets(workspaceId, query);
  }

  @Get('timeseries')
  @ApiOperation({
    summary: 'Count matches over time',
    description:
      'Counts and mean sentiment by hour, day, week or month of a time zone, from the first match (or `created_after`) to the last (or `created_before`), empty buckets included, at most 2,000.',
  })
  @ApiProblems('search_timeout', 'too_many_concurrent_requests')
  timeSeries(@WorkspaceId() workspaceId: string, @Query() query: TimeSeriesQueryDto): Promise<TimeSeriesDto> {
    return this.analytics.timeSeries(workspaceId, query);
  }

  @Get('keywords')
  @ApiOperation({
    summary: 'List frequent keywords',
    description:
      'The most frequent keywords of the posts that match the filters. With both dates each has its count in the period of the same length before, and the change.',
  })
  @ApiProblems('search_timeout', 'too_many_concurrent_requests')
  keywords(@WorkspaceId() workspaceId: string, @Query() query: KeywordsQueryDto): Promise<KeywordCountsDto> {
    return this.analytics.keywords(workspaceId, query);
  }
}
