import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { RequireScope } from '../../http/request/scope.decorator.js';
import { WorkspaceId } from '../../http/request/workspace.decorator.js';
import { AuditListService } from './audit-list.service.js';
import { AuditPageDto, ListAuditDto } from './dto/audit.dto.js';

@Controller('workspaces/:workspace_id/audit')
export class AuditController {
  constructor(private readonly audit: AuditListService) {}

  @Get()
  @RequireScope('admin')
  @ApiOperation({
    summary: "List the workspace's history",
    description:
      'Every change to the workspace, every sign-in, and every download of an export, newest first: who, what, when and from where, with the settings before and after a change of an alert, schedule or webhook. Names and addresses of operators are left out.',
  })
  list(@WorkspaceId() workspaceId: string, @Query() query: ListAuditDto): Promise<AuditPageDto> {
    return this.audit.list({ workspaceId, forOwner: true }, query);
  }
}
