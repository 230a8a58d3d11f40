import { All, Controller, Inject, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Response } from 'express';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { Problem } from '../../http/problems/problem.js';
import { ForAssistants } from '../../http/request/assistants.decorator.js';
import { ownAddress } from '../../http/request/own-address.js';
import type { AuthenticatedRequest } from '../../http/request/request.js';
import { RequireScope } from '../../http/request/scope.decorator.js';
import { createAssistantServer } from './assistant-server.js';
import { OriginGuard } from './origin.guard.js';
import { OwnApi } from './own-api.js';
import { withLinks } from './record-links.js';

/** Headers that authorise the caller, passed on to the API. */
const CREDENTIALS = ['x-api-key', 'authorization', 'cookie', 'origin'] as const;

/**
 * The Model Context Protocol over streamable HTTP, without sessions: every request is complete in itself. Not part of
 * the OpenAPI document, because the protocol describes its own operations.
 */
@ApiExcludeController()
@Controller('mcp')
@ForAssistants()
@UseGuards(OriginGuard)
export class McpController {
  constructor(
    private readonly api: OwnApi,
    @Inject(ENVIRONMENT) private readonly environment: Pick<Environment, 'PUBLIC_URL'>,
  ) {}

  @Post()
  @RequireScope('read')
  async handle(@Req() request: AuthenticatedRequest, @Res() response: Response): Promise<void> {
    const credentials = Object.fromEntries(
      CREDENTIALS.flatMap((name) => {
        const value = request.header(name);
        return value === undefined ? [] : [[name, value]];
      }),
    );
    const dashboard = ownAddress(request, this.environment.PUBLIC_URL);
    const server = createAssistantServer(request.caller.scopes, async (one, signal) => {
      const { ok, body } = await this.api.send(one, credentials, signal);
      return { ok, body: withLinks(body, dashboard) };
    });
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
