import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { NoQueryDto } from '../../http/no-query.dto.js';
import { PluginRegistry } from '../../enrichment/plugins/plugin-registry.js';
import { PluginDto } from './dto/plugin.dto.js';

@Controller('workspaces/:workspace_id/plugins')
export class PluginsController {
  constructor(private readonly plugins: PluginRegistry) {}

  @Get()
  @ApiOperation({
    summary: 'List plugins',
    description: 'Names that `plugins` of a job accepts, with a description of each.',
  })
  list(@Query() _query: NoQueryDto): PluginDto[] {
    return this.plugins.list();
  }
}
