import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { ApiProblems } from '../../http/problems/problem.openapi.js';
import { WorkspaceId } from '../../http/request/workspace.decorator.js';
import { RecallDto, RecallQueryDto } from './dto/recall.dto.js';
import { RecallService } from './recall.service.js';

@Controller('workspaces/:workspace_id/search')
export class RecallController {
  constructor(private readonly service: RecallService) {}

  @Get('recall')
  @ApiOperation({
    summary: 'Estimate what a query misses',
    description:
      'How many more posts or comments that match the filters are probably about what `q` looks for although it does not find them, with a 90 % interval, and words that would find them. A rough estimate from a sample of at most 9,000 texts. `missed` is null when `q` finds fewer than 20 rows or leaves fewer than 100.',
  })
  @ApiProblems('search_timeout', 'too_many_concurrent_requests')
  get(@WorkspaceId() workspaceId: string, @Query() query: RecallQueryDto): Promise<RecallDto> {
    return this.service.measure(workspaceId, query);
  }
}
