import { Body, Controller, Get, HttpCode, Query, Req, Res, UseGuards } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation } from '@nestjs/swagger';
import type { Response } from 'express';
import { Audited, Post } from '../../http/changes/change.decorators.js';
import { NoQueryDto } from '../../http/parameters/no-query.dto.js';
import { requireId } from '../../http/parameters/require-id.js';
import { Problem } from '../../http/problems/problem.js';
import { ApiProblems } from '../../http/problems/problem.openapi.js';
import { Public } from '../../http/request/public.decorator.js';
import { addressOf, type AuthenticatedRequest } from '../../http/request/request.js';
import {
  readCookie,
  requireSameOrigin,
  SESSION_COOKIE,
  setSessionCookie,
} from '../../http/request/session-cookie.js';
import { SignInGuard } from '../../http/request/sign-in.guard.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';
import { MembershipDto, MoveSessionDto } from './dto/sign-on.dto.js';
import { SignOnService } from './sign-on.service.js';

/**
 * The workspaces of the person of a session. These operations authenticate by the cookie themselves, because they reach
 * beyond the session's workspace.
 */
@Controller('session')
@Public()
export class MembershipsController {
  constructor(
    private readonly signOn: SignOnService,
    private readonly workspaces: WorkspacesService,
  ) {}

  @Get('workspaces')
  @ApiOperation({
    summary: "List the person's workspaces",
    description:
      'Those of which the person of the session is a member; that of the key in a session of a key.',
  })
  @ApiProblems('invalid_session')
  async list(@Query() _query: NoQueryDto, @Req() request: AuthenticatedRequest): Promise<MembershipDto[]> {
    const { current, memberships } = await this.signOn.ofSession(cookieOf(request));
    return Promise.all(
      memberships.map(async (one) => {
        const { name } = await this.workspaces.get(one.workspaceId);
        return MembershipDto.from(one, name, current);
      }),
    );
  }

  @Post('workspace')
  @Audited()
  @UseGuards(SignInGuard)
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'The cookie `wss_session` is set again.' })
  @ApiOperation({
    summary: 'Switch to another workspace',
    description: 'Replaces the session by one in another workspace of the person, which ends no later.',
  })
  @ApiProblems('invalid_session', 'cross_origin_request', 'not_found')
  async move(
    @Query() _query: NoQueryDto,
    @Body() { workspace_id: id }: MoveSessionDto,
    @Req() request: AuthenticatedRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    requireSameOrigin(request);
    const workspaceId = requireId('workspace', id, 'workspace_id');
    const browser = { address: addressOf(request), userAgent: request.header('user-agent') };
    const value = await this.signOn.moveTo(workspaceId, cookieOf(request), browser);
    setSessionCookie(request, response, SESSION_COOKIE, value);
  }
}

function cookieOf(request: AuthenticatedRequest): string {
  const cookie = readCookie(request, SESSION_COOKIE);
  if (cookie === null) throw new Problem('invalid_session', 'This operation needs a session. Sign in.');
  return cookie;
}
