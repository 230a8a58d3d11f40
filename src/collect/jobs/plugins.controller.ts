import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { NoQueryDto } from '../../http/parameters/no-query.dto.js';
import { PluginRegistry } from '../../enrichment/plugins/plugin-registry.js';
import { PluginDto } from './dto/plugin.dto.js';

@Controller('workspaces/:workspace_id/plugins')
export class PluginsController {
  constructor(private readonly plugins: PluginRegistry) {}

  @Get()
  @ApiOperation({
    summary: 'List plugins',
    description: 'The plugin names that a job accepts in `plugins`, each with a description.',
  })
  list(@Query() _query: NoQueryDto): PluginDto[] {
    return this.plugins.list();
  }
}
