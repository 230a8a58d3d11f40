import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { Delete } from '../../http/changes/change.decorators.js';
import { PathId } from '../../http/parameters/id.pipe.js';
import { MessageDto } from '../../http/parameters/message.dto.js';
import { NoQueryDto } from '../../http/parameters/no-query.dto.js';
import { OffsetPageDto } from '../../http/pages/page.dto.js';
import { WorkspaceId } from '../../http/request/workspace.decorator.js';
import { RequireScope } from '../../http/request/scope.decorator.js';
import type { SuppressionPageDto } from './dto/suppression.dto.js';
import { Suppressions } from './suppressions.service.js';

@Controller('workspaces/:workspace_id/suppressions')
export class SuppressionsController {
  constructor(private readonly suppressions: Suppressions) {}

  @Get()
  @ApiOperation({
    summary: 'List suppressions',
    description:
      'Authors, posts and comments that scrapes and imports do not store again, newest first. Names are stored only as keyed hashes.',
  })
  list(@WorkspaceId() workspaceId: string, @Query() page: OffsetPageDto): Promise<SuppressionPageDto> {
    return this.suppressions.list(workspaceId, page);
  }

  @Delete(':suppression_id')
  @ApiOperation({
    summary: 'Delete a suppression',
    description:
      'From now on, scrapes and imports may store the content again. Nothing comes back by itself.',
  })
  @RequireScope('admin')
  async delete(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('suppression', 'suppression_id') id: string,
  ): Promise<MessageDto> {
    await this.suppressions.delete(workspaceId, id);
    return { message: 'Suppression deleted' };
  }
}
