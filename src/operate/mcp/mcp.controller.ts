import { All, Controller, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Response } from 'express';
import { Problem } from '../../http/problems/problem.js';
import type { AuthenticatedRequest } from '../../http/request/request.js';
import { RequireScope } from '../../http/request/scope.decorator.js';
import { createAssistantServer } from './assistant-server.js';
import { OriginGuard } from './origin.guard.js';
import { OwnApi } from './own-api.js';

/** Headers that authorise the caller, passed on to the API. */
const CREDENTIALS = ['x-api-key', 'authorization', 'cookie', 'origin'] as const;

/**
 * The Model Context Protocol over streamable HTTP, without sessions: every request is complete in itself. Not part of
 * the OpenAPI document, because the protocol describes its own operations.
 */
@ApiExcludeController()
@Controller('mcp')
@UseGuards(OriginGuard)
export class McpController {
  constructor(private readonly api: OwnApi) {}

  @Post()
  @RequireScope('read')
  async handle(@Req() request: AuthenticatedRequest, @Res() response: Response): Promise<void> {
    const credentials = Object.fromEntries(
      CREDENTIALS.flatMap((name) => {
        const value = request.header(name);
        return value === undefined ? [] : [[name, value]];
      }),
    );
    const server = createAssistantServer(request.caller.scopes, (one, signal) =>
      this.api.send(one, credentials, signal),
    );
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
      enableJsonResponse: true,
    });
    response.on('close', () => void server.close());
    await server.connect(transport);
    await transport.handleRequest(request, response);
  }

  /** Streams and sessions do not exist here. */
  @All()
  @RequireScope('read')
  refuse(): never {
    throw new Problem(
      'method_not_allowed',
      'Send POST: this server keeps no sessions and opens no streams.',
      {
        headers: { Allow: 'POST' },
      },
    );
  }
}
