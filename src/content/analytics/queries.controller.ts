import { Body, Controller, HttpCode, HttpStatus, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { Post, ReadOnly } from '../../http/changes/change.decorators.js';
import { NoQueryDto } from '../../http/parameters/no-query.dto.js';
import { ApiProblems } from '../../http/problems/problem.openapi.js';
import { RequireScope } from '../../http/request/scope.decorator.js';
import { WorkspaceId } from '../../http/request/workspace.decorator.js';
import { QuerySuggestionsDto, SuggestQueriesDto } from './dto/query-suggestions.dto.js';
import { QuerySuggestionsService } from './query-suggestions.service.js';

@Controller('workspaces/:workspace_id/queries')
export class QueriesController {
  constructor(private readonly service: QuerySuggestionsService) {}

  @Post('suggest')
  @RequireScope('read')
  @ReadOnly()
  @ApiOperation({
    summary: 'Suggest queries',
    description:
      'Queries for a name or a sentence, and the forums that talk about it, from exact counts in what the workspace holds and a dictionary of words with several meanings; nothing is sent to another service. A name that is also an ordinary word gets exclusions, or words that come with it, from the texts that use it.',
  })
  @HttpCode(HttpStatus.OK)
  @ApiProblems('search_timeout', 'too_many_concurrent_requests')
  suggestQueries(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @Body() { about }: SuggestQueriesDto,
  ): Promise<QuerySuggestionsDto> {
    return this.service.suggest(workspaceId, about);
  }
}
