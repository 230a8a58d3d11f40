import { Body, Controller, Get, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { Delete, Patch, Post } from '../../http/changes/change.decorators.js';
import { PathId } from '../../http/parameters/id.pipe.js';
import { MessageDto } from '../../http/parameters/message.dto.js';
import { NoQueryDto } from '../../http/parameters/no-query.dto.js';
import { ApiProblems } from '../../http/problems/problem.openapi.js';
import { WorkspaceId } from '../../http/request/workspace.decorator.js';
import { CreateSearchDto, SearchDto, UpdateSearchDto } from './dto/saved-search.dto.js';
import { SearchesService } from './searches.service.js';

@Controller('workspaces/:workspace_id/searches')
export class SearchesController {
  constructor(private readonly searches: SearchesService) {}

  @Get()
  @ApiOperation({ summary: 'List saved searches', description: 'Oldest first.' })
  list(@WorkspaceId() workspaceId: string, @Query() _query: NoQueryDto): Promise<SearchDto[]> {
    return this.searches.list(workspaceId);
  }

  @Post()
  @ApiOperation({
    summary: 'Save a search',
    description: 'Keeps the query, filters and order of a list of posts or comments under a name.',
  })
  @ApiProblems('quota_exceeded')
  create(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @Body() body: CreateSearchDto,
  ): Promise<SearchDto> {
    return this.searches.create(workspaceId, body);
  }

  @Get(':search_id')
  @ApiOperation({
    summary: 'Get a saved search',
    description: 'The record as in the list of saved searches.',
  })
  get(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('search', 'search_id') id: string,
  ): Promise<SearchDto> {
    return this.searches.get(workspaceId, id);
  }

  @Patch(':search_id')
  @ApiOperation({ summary: 'Update a saved search', description: 'Changes only the fields in the body.' })
  update(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('search', 'search_id') id: string,
    @Body() body: UpdateSearchDto,
  ): Promise<SearchDto> {
    return this.searches.update(workspaceId, id, body);
  }

  @Delete(':search_id')
  @ApiOperation({ summary: 'Delete a saved search', description: 'Deletes the search, not its results.' })
  async delete(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('search', 'search_id') id: string,
  ): Promise<MessageDto> {
    await this.searches.delete(workspaceId, id);
    return { message: 'Search deleted' };
  }
}
