import { Body, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { OffsetPageDto } from '../../http/offset-page.dto.js';
import { PathId } from '../../http/id.pipe.js';
import { publicId } from '../../common/ids.js';
import { MessageDto } from '../../http/message.dto.js';
import { NoQueryDto } from '../../http/no-query.dto.js';
import { ApiProblems } from '../../http/problem.openapi.js';
import { WorkspaceId } from '../../http/workspace.decorator.js';
import { JobDto } from '../jobs/dto/job.dto.js';
import { NextRunsDto, NextRunsQueryDto, ScheduleRunPageDto } from './dto/schedule-runs.dto.js';
import { ScheduleDto, UpdatedScheduleDto } from './dto/schedule.dto.js';
import { CreateScheduleDto, UpdateScheduleDto } from './dto/write-schedule.dto.js';
import { SchedulesService } from './schedules.service.js';

@ApiTags('Schedules')
@Controller('workspaces/:workspace_id/schedules')
export class SchedulesController {
  constructor(private readonly schedules: SchedulesService) {}

  @Get()
  @ApiOperation({ summary: 'List schedules' })
  @ApiProblems()
  async list(@WorkspaceId() workspaceId: string, @Query() _query: NoQueryDto): Promise<ScheduleDto[]> {
    return (await this.schedules.list(workspaceId)).map((schedule) => ScheduleDto.from(schedule));
  }

  @Post()
  @ApiOperation({ summary: 'Create a schedule' })
  @ApiProblems('body_too_large')
  async create(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @Body() body: CreateScheduleDto,
  ): Promise<ScheduleDto> {
    return ScheduleDto.from(await this.schedules.create(workspaceId, body));
  }

  @Patch(':schedule_id')
  @ApiOperation({ summary: 'Pause, resume or change a schedule' })
  @ApiProblems('body_too_large', 'not_found')
  async update(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('schedule', 'schedule_id') id: string,
    @Body() body: UpdateScheduleDto,
  ): Promise<UpdatedScheduleDto> {
    return UpdatedScheduleDto.from(await this.schedules.update(workspaceId, id, body));
  }

  @Delete(':schedule_id')
  @ApiOperation({ summary: 'Delete a schedule and its history; its jobs stay' })
  @ApiProblems('not_found')
  async delete(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('schedule', 'schedule_id') id: string,
  ): Promise<MessageDto> {
    await this.schedules.delete(workspaceId, id);
    return { message: 'Schedule deleted' };
  }

  @Get(':schedule_id/runs')
  @ApiOperation({ summary: 'List what became of a schedule’s due times' })
  @ApiProblems('not_found')
  listScheduleRuns(
    @WorkspaceId() workspaceId: string,
    @PathId('schedule', 'schedule_id') id: string,
    @Query() query: OffsetPageDto,
  ): Promise<ScheduleRunPageDto> {
    return this.schedules.listRuns(workspaceId, id, query);
  }

  @Get(':schedule_id/next')
  @ApiOperation({ summary: 'Show the next due times of a schedule' })
  @ApiProblems('not_found')
  async listNextRuns(
    @WorkspaceId() workspaceId: string,
    @PathId('schedule', 'schedule_id') id: string,
    @Query() query: NextRunsQueryDto,
  ): Promise<NextRunsDto> {
    return {
      schedule_id: publicId('schedule', id),
      next_runs: await this.schedules.nextRuns(workspaceId, id, query.count),
    };
  }

  @Post(':schedule_id/run')
  @ApiOperation({ summary: 'Run a schedule now' })
  @ApiProblems('not_found')
  async run(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('schedule', 'schedule_id') id: string,
  ): Promise<JobDto> {
    return JobDto.from(await this.schedules.runNow(workspaceId, id));
  }
}
