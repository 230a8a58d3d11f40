import { Body, Controller, Get, HttpCode, Query, Req, Res, UseGuards } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation } from '@nestjs/swagger';
import type { Response } from 'express';
import { Audited, Delete, Post } from '../../http/changes/change.decorators.js';
import { NoQueryDto } from '../../http/parameters/no-query.dto.js';
import { ApiProblems } from '../../http/problems/problem.openapi.js';
import { Public } from '../../http/request/public.decorator.js';
import type { AuthenticatedRequest } from '../../http/request/request.js';
import {
  ADMIN_SESSION_COOKIE,
  clearSessionCookie,
  setSessionCookie,
} from '../../http/request/session-cookie.js';
import { AdminAccess } from './admin-access.js';
import { AdminOperations, AdminSignInGuard } from './admin.guard.js';
import { AdminSessionDto, CreateAdminSessionDto } from './admin-session.dto.js';

@Controller('admin/session')
export class AdminSessionController {
  constructor(private readonly access: AdminAccess) {}

  @Post()
  @Public()
  @Audited()
  @UseGuards(AdminSignInGuard)
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Signed in; the cookie `wss_admin_session` is set.' })
  @ApiOperation({
    summary: 'Sign in an operator',
    description:
      'Exchanges the admin token for the cookie `wss_admin_session`, which lasts 12 hours, or two without use, and ends when the token changes.',
  })
  @ApiProblems(
    'invalid_admin_token',
    'cross_origin_request',
    'not_found',
    'body_too_large',
    'unsupported_media_type',
    'rate_limited',
    'unavailable',
  )
  async create(
    @Query() _query: NoQueryDto,
    @Body() body: CreateAdminSessionDto,
    @Req() request: AuthenticatedRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.access.requireToken(request, body.admin_token);
    setSessionCookie(request, response, ADMIN_SESSION_COOKIE, await this.access.begin(request));
    request.signedIn = 'admin';
  }

  @Get()
  @AdminOperations()
  @ApiOperation({ summary: "Get the operator's session", description: 'Succeeds until the session ends.' })
  async get(@Req() request: AuthenticatedRequest, @Query() _query: NoQueryDto): Promise<AdminSessionDto> {
    return { expires_at: (await this.access.session(request))?.expiresAt ?? null };
  }

  @Delete()
  @AdminOperations()
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Signed out; the cookie is removed.' })
  @ApiOperation({ summary: 'Sign out an operator', description: 'Ends the session on every process.' })
  async delete(
    @Query() _query: NoQueryDto,
    @Req() request: AuthenticatedRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.access.end(request);
    clearSessionCookie(request, response, ADMIN_SESSION_COOKIE);
  }
}
