import { Module } from '@nestjs/common';
import { McpController } from './mcp/mcp.controller.js';
import { OwnApi } from './mcp/own-api.js';

/** Serves assistants at `/mcp`. */
@Module({ controllers: [McpController], providers: [OwnApi] })
export class McpModule {}
