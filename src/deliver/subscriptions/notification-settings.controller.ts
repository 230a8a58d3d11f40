import { Body, Controller, Get, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { Audited, Patch } from '../../http/changes/change.decorators.js';
import { NoQueryDto } from '../../http/parameters/no-query.dto.js';
import { ApiProblems } from '../../http/problems/problem.openapi.js';
import type { Caller } from '../../http/request/request.js';
import { RequestCaller } from '../../http/request/workspace.decorator.js';
import { RequireScope } from '../../http/request/scope.decorator.js';
import { NotificationSettingsDto, UpdateNotificationSettingsDto } from './dto/notification-settings.dto.js';
import { NotificationSettingsService } from './notification-settings.service.js';
import { personOf } from './person.js';

/** The settings of the person who has signed in. No operation names another person, so each reaches only their own. */
@Controller('workspaces/:workspace_id/me/notifications')
export class NotificationSettingsController {
  constructor(private readonly settings: NotificationSettingsService) {}

  @Get()
  @ApiOperation({
    summary: 'Get your notification settings',
    description:
      'Where you are notified by e-mail, and of which alerts. For people who signed in with an account; an API key gets 403.',
  })
  async get(@RequestCaller() caller: Caller, @Query() _query: NoQueryDto): Promise<NotificationSettingsDto> {
    return NotificationSettingsDto.from(await this.settings.get(personOf(caller)));
  }

  @Patch()
  @RequireScope('read')
  @Audited()
  @ApiOperation({
    summary: 'Change your notification settings',
    description:
      'Changes only the fields that are sent. Subscriptions count in the quota `alert_subscriptions`. For people who signed in with an account; an API key gets 403.',
  })
  @ApiProblems('quota_exceeded', 'not_found')
  async update(
    @RequestCaller() caller: Caller,
    @Query() _query: NoQueryDto,
    @Body() body: UpdateNotificationSettingsDto,
  ): Promise<NotificationSettingsDto> {
    return NotificationSettingsDto.from(await this.settings.update(personOf(caller), body));
  }
}
