import { Controller, Get, HttpCode, Query, Req, Res } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiResponse } from '@nestjs/swagger';
import type { Response } from 'express';
import { Audited, Post } from '../../http/changes/change.decorators.js';
import { Problem } from '../../http/problems/problem.js';
import { ApiProblems } from '../../http/problems/problem.openapi.js';
import { leadTo } from '../../http/request/lead-to.js';
import { Public } from '../../http/request/public.decorator.js';
import { addressOf, type AuthenticatedRequest } from '../../http/request/request.js';
import { RequestLimits } from '../../infrastructure/rate-limit/request-limits.js';
import { LinkTokenDto } from './dto/notification-settings.dto.js';
import { unsubscribePage } from './notification-links.js';
import { NotificationSettingsService } from './notification-settings.service.js';
import type { Person } from './person.js';

/** Actions of the links in e-mails to members. Their tokens are the only credentials, and no body is read. */
@Controller('notification-links')
@Public()
export class NotificationLinksController {
  constructor(
    private readonly settings: NotificationSettingsService,
    private readonly limits: RequestLimits,
  ) {}

  @Post('confirm')
  @Audited()
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'Notifications are sent to the address from now on.' })
  @ApiOperation({
    summary: 'Confirm an address',
    description: 'By the token of the link that was sent there. It works once, within a day.',
  })
  @ApiProblems('not_found', 'rate_limited', 'unavailable')
  confirm(@Query() { token }: LinkTokenDto, @Req() request: AuthenticatedRequest): Promise<void> {
    return this.follow(request, () => this.settings.confirm(token));
  }

  @Get('unsubscribe')
  @ApiResponse({ status: 302, description: 'Leads the browser to the page that ends the subscription.' })
  @ApiOperation({
    summary: 'Open the page to unsubscribe',
    description: 'For mail programs that open `List-Unsubscribe`. It ends nothing: scanners follow links.',
  })
  begin(@Query() { token }: LinkTokenDto, @Res() response: Response): void {
    leadTo(response, unsubscribePage(encodeURIComponent(token)));
  }

  @Post('unsubscribe')
  @Audited()
  @HttpCode(204)
  @ApiNoContentResponse({ description: 'The person is not notified of the alert any more.' })
  @ApiOperation({
    summary: 'Unsubscribe from an alert',
    description:
      'The request of `List-Unsubscribe-Post` (RFC 8058), by the token of a notification. It may be repeated.',
  })
  @ApiProblems('not_found', 'rate_limited', 'unavailable')
  unsubscribe(@Query() { token }: LinkTokenDto, @Req() request: AuthenticatedRequest): Promise<void> {
    return this.follow(request, () => this.settings.unsubscribe(token));
  }

  /** Runs the action of a link, for the audit log as the person's own. */
  private async follow(request: AuthenticatedRequest, run: () => Promise<Person | null>): Promise<void> {
    try {
      const person = await run();
      if (person !== null) request.signedIn = { workspaceId: person.workspaceId, keyPrefix: person.email };
    } catch (error) {
      // Tokens cannot be guessed; who tries is slowed down like one who tries keys.
      if (error instanceof Problem && error.status === 404)
        await this.limits.countFailure(addressOf(request), error);
      throw error;
    }
  }
}
