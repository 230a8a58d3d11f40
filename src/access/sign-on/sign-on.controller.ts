import { Controller, Get, Logger, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { BulkGet } from '../../http/changes/change.decorators.js';
import { NoQueryDto } from '../../http/parameters/no-query.dto.js';
import { Problem } from '../../http/problems/problem.js';
import { ApiProblems } from '../../http/problems/problem.openapi.js';
import { leadTo } from '../../http/request/lead-to.js';
import { Public } from '../../http/request/public.decorator.js';
import { addressOf, type AuthenticatedRequest, pathOf } from '../../http/request/request.js';
import { ADMIN_SESSION_COOKIE, SESSION_COOKIE, setSessionCookie } from '../../http/request/session-cookie.js';
import { RequestLimits } from '../../infrastructure/rate-limit/request-limits.js';
import { AdminAccess } from '../operators/admin-access.js';
import type { Person } from '../api-keys/members.repository.js';
import { BeginSignOnDto, SignOnDto } from './dto/sign-on.dto.js';
import { IdentityProvider, SignOnError, type SignOnRequest } from './identity-provider.js';
import { SignOnCookies } from './sign-on-cookies.js';
import { SignOnService } from './sign-on.service.js';

const UNAUTHORIZED = 401;
const TO_PAGE = { status: 302, description: 'Leads the browser to a page.' };
/** A path of this host. Browsers read a second slash or a backslash as the beginning of another host. */
const OWN_PATH = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/;

/** Signs people in with accounts of the identity provider. Browsers call these operations by links, not by scripts. */
@Controller('session/oidc')
@Public()
export class SignOnController {
  private readonly logger = new Logger(SignOnController.name);

  constructor(
    private readonly provider: IdentityProvider,
    private readonly signOn: SignOnService,
    private readonly admin: AdminAccess,
    private readonly cookies: SignOnCookies,
    private readonly limits: RequestLimits,
  ) {}

  @Get()
  @ApiOkResponse({ type: SignOnDto })
  @ApiOperation({ summary: 'Get the identity provider', description: 'For the sign-in page.' })
  get(@Query() _query: NoQueryDto): SignOnDto {
    return { issuer: this.provider.issuer };
  }

  @Get('begin')
  @ApiResponse(TO_PAGE)
  @ApiOperation({
    summary: 'Sign in with an account',
    description: 'Leads the browser to the identity provider, which leads it back to `callback`.',
  })
  async begin(
    @Query() { return_to: returnTo = '/' }: BeginSignOnDto,
    @Req() request: AuthenticatedRequest,
    @Res() response: Response,
  ): Promise<void> {
    this.requireProvider(request);
    try {
      const begun = await this.provider.begin(OWN_PATH.test(returnTo) ? returnTo : '/');
      this.cookies.keep(request, response, begun.request);
      leadTo(response, begun.address.href);
    } catch (error) {
      this.toSignInPage(response, new SignOnError('failed', error));
    }
  }

  @BulkGet('callback')
  @ApiResponse(TO_PAGE)
  @ApiOperation({
    summary: 'Return from the identity provider',
    description:
      'Sets the cookie `wss_session` for a member of a workspace, and `wss_admin_session` for an operator, and leads to the dashboard; without success to the sign-in page, with the reason.',
  })
  @ApiProblems('rate_limited', 'unavailable')
  async callback(@Req() request: AuthenticatedRequest, @Res() response: Response): Promise<void> {
    this.requireProvider(request);
    const query = request.originalUrl.slice(pathOf(request).length);
    const begun = this.cookies.take(request, response, new URLSearchParams(query).get('state'));
    try {
      if (begun === null) throw new SignOnError('expired');
      const { person, idToken } = await this.provider.complete(query, begun);
      const page = await this.enter(person, begun, request, response);
      this.cookies.keepIdToken(request, response, idToken);
      leadTo(response, page);
    } catch (error) {
      if (!(error instanceof SignOnError)) throw error;
      request.isRejected = true;
      await this.limits.countFailure(addressOf(request), { code: error.reason, status: UNAUTHORIZED });
      this.toSignInPage(response, error);
    }
  }

  @Get('sign-out')
  @ApiResponse(TO_PAGE)
  @ApiOperation({
    summary: 'Sign out at the identity provider',
    description: 'For a browser that has signed out here. Leads to the sign-in page afterwards.',
  })
  async signOut(
    @Query() _query: NoQueryDto,
    @Req() request: AuthenticatedRequest,
    @Res() response: Response,
  ): Promise<void> {
    this.requireProvider(request);
    try {
      const page = await this.provider.signOutAddress(this.cookies.takeIdToken(request, response));
      leadTo(response, page.href);
    } catch (error) {
      this.toSignInPage(response, new SignOnError('failed', error));
    }
  }

  /** Sets the cookies of a person; returns the path of the page to show. */
  private async enter(
    person: Person,
    { returnTo }: SignOnRequest,
    request: AuthenticatedRequest,
    response: Response,
  ): Promise<string> {
    const adminCookie = await this.admin.beginWithAccount(request, person);
    if (adminCookie !== null) {
      request.signedIn = 'admin';
      request.operator = person.email;
      setSessionCookie(request, response, ADMIN_SESSION_COOKIE, adminCookie);
    }
    const browser = { address: addressOf(request), userAgent: request.header('user-agent') };
    try {
      const { membership, cookie } = await this.signOn.begin(person, browser);
      request.signedIn = membership;
      setSessionCookie(request, response, SESSION_COOKIE, cookie);
      return returnTo;
    } catch (error) {
      if (adminCookie !== null && error instanceof SignOnError) return '/admin';
      throw error;
    }
  }

  private toSignInPage(response: Response, error: SignOnError): void {
    this.logger.warn({ err: error.cause, reason: error.reason }, 'sign-in with an account failed');
    leadTo(response, `/?problem=${error.reason}`);
  }

  private requireProvider(request: AuthenticatedRequest): void {
    if (this.provider.issuer === null) throw Problem.noRoute(request.method, pathOf(request));
  }
}
