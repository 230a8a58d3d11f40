import { applyDecorators, Controller, Get, Inject, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { RowSecurity } from '../../database/row-security.js';
import { Delete, Post } from '../../http/changes/change.decorators.js';
import { PathId } from '../../http/parameters/id.pipe.js';
import { requireKeyWithoutEnd } from '../../http/request/key-without-end.js';
import { MessageDto } from '../../http/parameters/message.dto.js';
import { NoQueryDto } from '../../http/parameters/no-query.dto.js';
import { Problem } from '../../http/problems/problem.js';
import { ApiProblems } from '../../http/problems/problem.openapi.js';
import { Public } from '../../http/request/public.decorator.js';
import { addressOf, type Caller } from '../../http/request/request.js';
import { ownAddress } from '../../http/request/own-address.js';
import { RequestCaller, WorkspaceId } from '../../http/request/workspace.decorator.js';
import { RequestLimits } from '../../infrastructure/rate-limit/request-limits.js';
import { InactiveWorkspaces } from '../../tenants/workspaces/inactive-workspaces.js';
import { FeedDto } from './feed.dto.js';
import { FEED_FORMS, type FeedForm } from './feed-documents.js';
import { FeedsService } from './feeds.service.js';

const ApiFeed = (form: FeedForm, name: string): MethodDecorator =>
  applyDecorators(
    Public(),
    ApiOperation({
      summary: `Read a feed as ${name}`,
      description:
        'The newest 50 results of a saved search, at most a minute old. The address is the only credential. Send `If-None-Match` or `If-Modified-Since`: 304 means that nothing has changed.',
    }),
    ApiOkResponse({
      description: 'The feed',
      content: { [FEED_FORMS[form].split(';', 1)[0]!]: { schema: { type: 'string' } } },
    }),
    ApiProblems(
      'not_found',
      'workspace_suspended',
      'rate_limited',
      'search_timeout',
      'too_many_concurrent_requests',
    ),
  );

@Controller('workspaces/:workspace_id')
export class FeedsController {
  constructor(
    private readonly feeds: FeedsService,
    private readonly limits: RequestLimits,
    private readonly inactive: InactiveWorkspaces,
    private readonly rowSecurity: RowSecurity,
    @Inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  @Post('searches/:search_id/feed')
  @ApiOperation({
    summary: 'Create a feed',
    description:
      'Secret addresses of the newest results of a saved search as Atom, JSON Feed and RSS 2.0. They are shown once; those created before end. A key that expires cannot create a feed, which does not.',
  })
  async create(
    @WorkspaceId() workspaceId: string,
    @RequestCaller() caller: Caller,
    @Query() _query: NoQueryDto,
    @PathId('search', 'search_id') id: string,
    @Req() request: Request,
  ): Promise<FeedDto> {
    requireKeyWithoutEnd(caller);
    const { atom, json, rss } = await this.feeds.create(workspaceId, id);
    const addressOfFile = (name: string): string =>
      `${ownAddress(request, this.environment.PUBLIC_URL)}/api/v1/workspaces/${workspaceId}/feeds/${name}`;
    return { atom_url: addressOfFile(atom), json_url: addressOfFile(json), rss_url: addressOfFile(rss) };
  }

  @Delete('searches/:search_id/feed')
  @ApiOperation({ summary: 'End a feed', description: 'Its addresses answer 404 within five seconds.' })
  async end(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('search', 'search_id') id: string,
  ): Promise<MessageDto> {
    await this.feeds.end(workspaceId, id);
    return { message: 'Feed ended' };
  }

  @Get('feeds/:token.atom')
  @ApiFeed('atom', 'Atom')
  readAtom(
    @PathId('workspace', 'workspace_id') workspaceId: string,
    @Query() _query: NoQueryDto,
    @Param('token') token: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.send('atom', workspaceId, token, request, response);
  }

  @Get('feeds/:token.json')
  @ApiFeed('json', 'JSON Feed')
  readJson(
    @PathId('workspace', 'workspace_id') workspaceId: string,
    @Query() _query: NoQueryDto,
    @Param('token') token: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.send('json', workspaceId, token, request, response);
  }

  @Get('feeds/:token.rss')
  @ApiFeed('rss', 'RSS 2.0')
  readRss(
    @PathId('workspace', 'workspace_id') workspaceId: string,
    @Query() _query: NoQueryDto,
    @Param('token') token: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.send('rss', workspaceId, token, request, response);
  }

  private async send(
    form: FeedForm,
    workspaceId: string,
    token: string,
    request: Request,
    response: Response,
  ): Promise<void> {
    this.inactive.requireActive(workspaceId);
    this.rowSecurity.enter(workspaceId);
    const site = ownAddress(request, this.environment.PUBLIC_URL);
    const url = site + request.originalUrl.split('?', 1)[0]!;
    const addresses = { url, site: `${site}/` };
    const feed = await this.feeds.read(workspaceId, token, form, addresses).catch(async (error: unknown) => {
      // Tokens cannot be guessed; who tries is slowed down like one who tries keys.
      if (error instanceof Problem && error.status === 404)
        await this.limits.countFailure(addressOf(request), error);
      throw error;
    });
    response.set({
      'Content-Type': FEED_FORMS[form],
      'Cache-Control': 'private, max-age=60',
      ETag: feed.etag,
      'Last-Modified': feed.lastModified.toUTCString(),
    });
    // Readers built on `fetch` send `no-cache` with every condition; a feed is at most a minute old anyway.
    delete request.headers['cache-control'];
    // Express answers 304 when the request's conditions hold.
    response.send(feed.body);
  }
}
