import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { publicId } from '../../common/ids.js';
import { NoQueryDto } from '../../http/parameters/no-query.dto.js';
import type { Caller } from '../../http/request/request.js';
import { RequestCaller } from '../../http/request/workspace.decorator.js';
import { CallerWorkspaceDto } from './workspace.dto.js';
import { WorkspacesService } from './workspaces.service.js';

@Controller('workspace')
export class WorkspaceController {
  constructor(private readonly workspaces: WorkspacesService) {}

  @Get()
  @ApiOperation({
    summary: "Get the API key's workspace",
    description:
      'The workspace that the key belongs to, and the scopes of the key. Use `workspace_id` in the paths of all other operations.',
  })
  async get(@RequestCaller() caller: Caller, @Query() _query: NoQueryDto): Promise<CallerWorkspaceDto> {
    const { name, status } = await this.workspaces.get(caller.workspaceId);
    return {
      workspace_id: publicId('workspace', caller.workspaceId),
      name,
      status: status === 'active' ? 'active' : 'suspended',
      scopes: [...caller.scopes],
      key_prefix: caller.keyPrefix,
    };
  }
}
