import { Body, Controller, Get, HttpCode, HttpStatus, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { Patch, Post } from '../../http/changes/change.decorators.js';
import { PathId } from '../../http/parameters/id.pipe.js';
import { NoQueryDto } from '../../http/parameters/no-query.dto.js';
import { WorkspaceId } from '../../http/request/workspace.decorator.js';
import {
  ChangedMatchesDto,
  ChangeMatchesDto,
  ListMatchesDto,
  MatchDto,
  MatchPageDto,
  UpdateMatchDto,
} from './match.dto.js';
import { MatchesService } from './matches.service.js';

@Controller('workspaces/:workspace_id/matches')
export class MatchesController {
  constructor(private readonly matches: MatchesService) {}

  @Get()
  @ApiOperation({
    summary: 'List matches',
    description:
      'Posts and comments that alerts matched, by default newest match first, with the number in each state.',
  })
  list(@WorkspaceId() workspaceId: string, @Query() query: ListMatchesDto): Promise<MatchPageDto> {
    return this.matches.list(workspaceId, query);
  }

  @Post('bulk')
  @ApiOperation({
    summary: 'Change many matches',
    description: 'Sets the state of matches, and adds or removes labels, by `ids` or by `filter`.',
  })
  @HttpCode(HttpStatus.OK)
  async change(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @Body() body: ChangeMatchesDto,
  ): Promise<ChangedMatchesDto> {
    return { changed: await this.matches.change(workspaceId, body) };
  }

  @Patch(':match_id')
  @ApiOperation({ summary: 'Update a match', description: 'Changes only the fields in the body.' })
  update(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('match', 'match_id') id: string,
    @Body() body: UpdateMatchDto,
  ): Promise<MatchDto> {
    return this.matches.update(workspaceId, id, body);
  }
}
