import { Body, Controller, Get, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { Delete, Patch, Post } from '../../http/changes/change.decorators.js';
import { PathId } from '../../http/parameters/id.pipe.js';
import { requireKeyWithoutEnd } from '../../http/request/key-without-end.js';
import { MessageDto } from '../../http/parameters/message.dto.js';
import { NoQueryDto } from '../../http/parameters/no-query.dto.js';
import { ApiProblems } from '../../http/problems/problem.openapi.js';
import type { Caller } from '../../http/request/request.js';
import { RequestCaller, WorkspaceId } from '../../http/request/workspace.decorator.js';
import { RequireScope } from '../../http/request/scope.decorator.js';
import {
  AddedMemberDto,
  CreateMemberDto,
  MemberDto,
  UpdateMemberDto,
  ViewMemberDto,
} from './dto/member.dto.js';
import { MembersService } from './members.service.js';

@Controller('workspaces/:workspace_id/members')
export class MembersController {
  constructor(private readonly members: MembersService) {}

  @Get()
  @RequireScope('admin')
  @ApiOperation({
    summary: 'List members',
    description: 'The people who may sign in to the dashboard with their accounts, oldest first.',
  })
  async list(@WorkspaceId() workspaceId: string, @Query() _query: NoQueryDto): Promise<MemberDto[]> {
    return (await this.members.list(workspaceId)).map((member) => MemberDto.from(member));
  }

  @Post()
  @RequireScope('admin')
  @ApiOperation({
    summary: 'Add a member',
    description:
      'The person may then sign in with an account that has this address, and gets an invitation by e-mail if the service can send one. For the address of a member, the role is changed and the invitation sent again. Members count in the quota `api_keys`. A key that expires cannot add members.',
  })
  @ApiProblems('quota_exceeded')
  async create(
    @WorkspaceId() workspaceId: string,
    @RequestCaller() caller: Caller,
    @Query() { view }: ViewMemberDto,
    @Body() { email, role }: CreateMemberDto,
  ): Promise<AddedMemberDto> {
    requireKeyWithoutEnd(caller);
    const { member, refusal } = await this.members.add(workspaceId, email, role);
    return { ...MemberDto.from(member), ...(view === 'full' && { invitation_refusal: refusal }) };
  }

  @Patch(':member_id')
  @RequireScope('admin')
  @ApiOperation({
    summary: "Change a member's role",
    description: "Takes effect with the person's next request. A key that expires cannot change roles.",
  })
  async update(
    @WorkspaceId() workspaceId: string,
    @RequestCaller() caller: Caller,
    @Query() _query: NoQueryDto,
    @PathId('member', 'member_id') id: string,
    @Body() { role }: UpdateMemberDto,
  ): Promise<MemberDto> {
    requireKeyWithoutEnd(caller);
    return MemberDto.from(await this.members.setRole(workspaceId, id, role));
  }

  @Delete(':member_id')
  @RequireScope('admin')
  @ApiOperation({
    summary: 'Remove a member',
    description:
      "Ends the person's sessions in this workspace with the next request. API keys that they made stay.",
  })
  async remove(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('member', 'member_id') id: string,
  ): Promise<MessageDto> {
    await this.members.remove(workspaceId, id);
    return { message: 'Member removed' };
  }
}
