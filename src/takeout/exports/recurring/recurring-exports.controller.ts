import { Body, Controller, Get, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { Delete, Patch, Post } from '../../../http/changes/change.decorators.js';
import { PathId } from '../../../http/parameters/id.pipe.js';
import { MessageDto } from '../../../http/parameters/message.dto.js';
import { NoQueryDto } from '../../../http/parameters/no-query.dto.js';
import { ApiProblems } from '../../../http/problems/problem.openapi.js';
import { WorkspaceId } from '../../../http/request/workspace.decorator.js';
import {
  CreateRecurringExportDto,
  RecurringExportDto,
  UpdateRecurringExportDto,
} from './recurring-export.dto.js';
import { RecurringExportsService } from './recurring-exports.service.js';

@Controller('workspaces/:workspace_id/recurring-exports')
export class RecurringExportsController {
  constructor(private readonly recurring: RecurringExportsService) {}

  @Get()
  @ApiOperation({ summary: 'List recurring exports', description: 'Oldest first. Their runs are exports.' })
  list(@WorkspaceId() workspaceId: string, @Query() _query: NoQueryDto): Promise<RecurringExportDto[]> {
    return this.recurring.list(workspaceId);
  }

  @Post()
  @ApiOperation({
    summary: 'Create a recurring export',
    description:
      'At each due time an export with these choices is created, one at a time; the first at `next_run_at`. Each run is listed with the exports and sends `export.completed`.',
  })
  @ApiProblems('quota_exceeded')
  create(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @Body() body: CreateRecurringExportDto,
  ): Promise<RecurringExportDto> {
    return this.recurring.create(workspaceId, body);
  }

  @Patch(':recurring_export_id')
  @ApiOperation({
    summary: 'Change or pause a recurring export',
    description:
      'Changed times hold from now on. Due times that pass while it is paused are left out. A run that has begun goes on.',
  })
  update(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('recurringExport', 'recurring_export_id') id: string,
    @Body() body: UpdateRecurringExportDto,
  ): Promise<RecurringExportDto> {
    return this.recurring.update(workspaceId, id, body);
  }

  @Delete(':recurring_export_id')
  @ApiOperation({
    summary: 'Delete a recurring export',
    description: 'Creates no more runs. Those that exist stay in the list of exports.',
  })
  async delete(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('recurringExport', 'recurring_export_id') id: string,
  ): Promise<MessageDto> {
    await this.recurring.delete(workspaceId, id);
    return { message: 'Recurring export deleted' };
  }
}
