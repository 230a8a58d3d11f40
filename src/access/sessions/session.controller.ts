import { Body, Controller, Get, HttpCode, Query, Req, Res, UseGuards } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation } from '@nestjs/swagger';
import type { Response } from 'express';
import { publicId } from '../../common/ids.js';
import { Audited, Delete, Post } from '../../http/changes/change.decorators.js';
import { NoQueryDto } from '../../http/parameters/no-query.dto.js';
import { ApiProblems } from '../../http/problems/problem.openapi.js';
import { Public } from '../../http/request/public.decorator.js';
import { addressOf, type AuthenticatedRequest, type Caller } from '../../http/request/request.js';
import {
  clearSessionCookie,
  readCookie,
  SESSION_COOKIE,
  setSessionCookie,
} from '../../http/request/session-cookie.js';
import { SignInGuard } from '../../http/request/sign-in.guard.js';
import { RequestCaller } from '../../http/request/workspace.decorator.js';
import { RequestLimits } from '../../infrastructure/rate-limit/request-limits.js';
import { RequireScope } from '../../http/request/scope.decorator.js';
import { type SignIn, SessionsService } from './sessions.service.js';
import { CreateSessionDto, RedeemSignInLinkDto, SessionDto, SignInLinkDto } from './dto/session.dto.js';
import { InactiveWorkspaces } from '../../tenants/workspaces/inactive-workspaces.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';

/** Problems of all ways to sign in, except that of an unknown key or link. */
const SIGN_IN_PROBLEMS = [
  'revoked_api_key',
  'expired_api_key',
  'workspace_suspended',
  'cross_origin_request',
  'body_too_large',
  'unsupported_media_type',
  'rate_limited',
  'unavailable',
] as const;

@Controller('session')
export class SessionController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly workspaces: WorkspacesService,
    private readonly inactive: InactiveWorkspaces,
    private readonly limits: RequestLimits,
  ) {}

  @Post()
  @Public()
  @Audited()
  @UseGuards(SignInGuard)
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Signed in; the cookie `wss_session` is set.' })
  @ApiOperation({
    summary: 'Sign in a browser',
    description:
      'Exchanges an API key for the cookie `wss_session`, which lasts 12 hours, or two without use, has the scopes of the key and ends when the key does. Requests that change data with the cookie need an `Origin` header of this host.',
  })
  @ApiProblems('invalid_api_key', ...SIGN_IN_PROBLEMS)
  async create(
    @Query() _query: NoQueryDto,
    @Body() body: CreateSessionDto,
    @Req() request: AuthenticatedRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.begin(request, response, () => this.sessions.identify(body.api_key));
  }

  @Post('links')
  @RequireScope('read')
  @Audited()
  @ApiOperation({
    summary: 'Create a sign-in link',
    description:
      'Creates a link that opens the dashboard, signed in with the API key of this request. It works once, expires after 15 minutes, and stops working when the key is revoked. A link made in a session ends with it, and the session that it begins lasts no longer.',
  })
  async createSignInLink(
    @RequestCaller() caller: Caller,
    @Query() _query: NoQueryDto,
  ): Promise<SignInLinkDto> {
    const { token, expiresAt } = await this.sessions.createLink(caller);
    return { path: `/sign-in#${token}`, token, expires_at: expiresAt };
  }

  @Post('links/redeem')
  @Public()
  @Audited()
  @UseGuards(SignInGuard)
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Signed in; the cookie `wss_session` is set.' })
  @ApiOperation({
    summary: 'Sign in by a link',
    description:
      'Exchanges the token of a sign-in link for the cookie `wss_session`. The token works only once.',
  })
  @ApiProblems('invalid_session', ...SIGN_IN_PROBLEMS)
  async redeemSignInLink(
    @Query() _query: NoQueryDto,
    @Body() body: RedeemSignInLinkDto,
    @Req() request: AuthenticatedRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.begin(request, response, () => this.sessions.redeemLink(body.token));
  }

  @Get()
  @ApiOperation({
    summary: 'Get the session',
    description: 'The workspace and the API key of the session.',
  })
  async get(@RequestCaller() caller: Caller, @Query() _query: NoQueryDto): Promise<SessionDto> {
    const { name } = await this.workspaces.get(caller.workspaceId);
    return {
      workspace_id: publicId('workspace', caller.workspaceId),
      workspace_name: name,
      scopes: [...caller.scopes],
      key_prefix: caller.keyPrefix,
    };
  }

  @Delete()
  @RequireScope('read')
  @Audited()
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Signed out; the cookie is removed.' })
  @ApiOperation({ summary: 'Sign out', description: 'Ends the session on every process.' })
  async delete(
    @RequestCaller() caller: Caller,
    @Query() _query: NoQueryDto,
    @Req() request: AuthenticatedRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    const token = readCookie(request, SESSION_COOKIE);
    if (token !== null) await this.sessions.end(caller.workspaceId, token);
    clearSessionCookie(request, response, SESSION_COOKIE);
  }

  /** Starts a session for the authenticated key and sets its cookie. */
  private async begin(
    request: AuthenticatedRequest,
    response: Response,
    identify: () => Promise<SignIn>,
  ): Promise<void> {
    const signIn = await this.limits.limitFailures(addressOf(request), identify);
    const { key } = signIn;
    await this.limits.enforce(key.id, response, 'This API key');
    this.inactive.requireActive(key.workspaceId);
    const browser = { address: addressOf(request), userAgent: request.header('user-agent') };
    setSessionCookie(request, response, SESSION_COOKIE, await this.sessions.begin(signIn, browser));
    request.signedIn = key;
  }
}
