import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { parseId } from '../../common/ids.js';
import { DEFAULT_PAGE_SIZE } from '../../http/pages/page.dto.js';
import { AuditService } from '../../access/audit/audit.service.js';
import { AdminOperations } from '../../access/operators/admin.guard.js';
import { AuditEntryDto, AuditPageDto, ListAuditDto } from './dto/audit.dto.js';

@AdminOperations()
@Controller('admin/audit')
export class AdminAuditController {
  constructor(private readonly audit: AuditService) {}

  @Get()
  @ApiOperation({
    summary: 'List the audit log',
    description:
      'Every change through the API, the admin API and the command line, every sign-in, sign-out and failed authentication, and every download of an export, newest first: who, what, when and from where. Other refused requests are not listed, since they change nothing. Entries of deleted workspaces are kept.',
  })
  async list(
    @Query() { workspace_id, actor, action, limit = DEFAULT_PAGE_SIZE, cursor }: ListAuditDto,
  ): Promise<AuditPageDto> {
    const workspaceId =
      workspace_id === undefined ? undefined : (parseId('workspace', workspace_id) ?? undefined);
    const page = await this.audit.list({ workspaceId, actor, action }, { limit, cursor });
    return {
      entries: page.entries.map((entry) => AuditEntryDto.from(entry)),
      cursor: page.cursor,
      has_more: page.hasMore,
    };
  }
}
