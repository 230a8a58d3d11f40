import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { Audited, Delete } from '../../http/changes/change.decorators.js';
import { PathId } from '../../http/parameters/id.pipe.js';
import { MessageDto } from '../../http/parameters/message.dto.js';
import { NoQueryDto } from '../../http/parameters/no-query.dto.js';
import type { Caller } from '../../http/request/request.js';
import { RequestCaller } from '../../http/request/workspace.decorator.js';
import { RequireScope } from '../../http/request/scope.decorator.js';
import { SessionsService } from './sessions.service.js';
import { ListedSessionDto } from './dto/listed-session.dto.js';

@Controller('workspaces/:workspace_id/sessions')
export class WorkspaceSessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Delete(':session_id')
  @RequireScope('read')
  @Audited()
  @ApiOperation({
    summary: 'End a browser session',
    description: 'Takes effect with the next request of the browser or assistant, on every process.',
  })
  async end(
    @RequestCaller() caller: Caller,
    @Query() _query: NoQueryDto,
    @PathId('session', 'session_id') id: string,
  ): Promise<MessageDto> {
    await this.sessions.endOne(caller, id);
    return { message: 'Session ended' };
  }

  @Get()
  @ApiOperation({
    summary: 'List browser sessions',
    description:
      'Also those of assistants that a person gave access. Newest first: with the scope `admin` those of all keys, otherwise those of the key of this request.',
  })
  async list(@RequestCaller() caller: Caller, @Query() _query: NoQueryDto): Promise<ListedSessionDto[]> {
    return (await this.sessions.list(caller)).map((session) => ListedSessionDto.from(session, caller));
  }

  @Delete()
  @RequireScope('read')
  @Audited()
  @ApiOperation({
    summary: 'End all browser sessions',
    description:
      'Ends every session of the list of sessions, also that of this request, and their sign-in links.',
  })
  async endAll(@RequestCaller() caller: Caller, @Query() _query: NoQueryDto): Promise<MessageDto> {
    const ended = await this.sessions.endAll(caller);
    return { message: `${ended} ${ended === 1 ? 'session' : 'sessions'} ended` };
  }
}
