import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { AuditListService } from '../../access/audit/audit-list.service.js';
import { AuditPageDto, ListAllAuditDto } from '../../access/audit/dto/audit.dto.js';
import { AdminOperations } from '../../access/operators/admin.guard.js';
import { parseId } from '../../common/ids.js';

@AdminOperations()
@Controller('admin/audit')
export class AdminAuditController {
  constructor(private readonly audit: AuditListService) {}

  @Get()
  @ApiOperation({
    summary: 'List the audit log',
    description:
      'Every change through the API, the admin API and the command line, every sign-in, sign-out and failed authentication, and every download of an export, newest first: who, what, when and from where. Other refused requests are not listed, since they change nothing. Entries of deleted workspaces are kept.',
  })
  list(@Query() { workspace_id = '', ...query }: ListAllAuditDto): Promise<AuditPageDto> {
    return this.audit.list({ workspaceId: parseId('workspace', workspace_id) ?? undefined }, query);
  }
}
