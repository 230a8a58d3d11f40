import { Body, Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Delete, Patch, Post } from '../../http/changes/change.decorators.js';
import { OffsetPageDto } from '../../http/pages/page.dto.js';
import { PathId } from '../../http/parameters/id.pipe.js';
import { publicId } from '../../common/ids.js';
import { MessageDto } from '../../http/parameters/message.dto.js';
import { NoQueryDto } from '../../http/parameters/no-query.dto.js';
import { ApiProblems } from '../../http/problems/problem.openapi.js';
import { WorkspaceId } from '../../http/request/workspace.decorator.js';
import { JobDto } from '../jobs/dto/job.dto.js';
import { NextRunsDto, NextRunsQueryDto, ScheduleRunPageDto } from './dto/schedule-runs.dto.js';
import { ScheduleDto, UpdatedScheduleDto } from './dto/schedule.dto.js';
import { CreateScheduleDto, UpdateScheduleDto } from './dto/write-schedule.dto.js';
import { SchedulesService } from './schedules.service.js';
import { ScheduleRunsService } from './schedule-runs.service.js';

@ApiTags('Schedules')
@Controller('workspaces/:workspace_id/schedules')
export class SchedulesController {
  constructor(
    private readonly schedules: SchedulesService,
    private readonly runs: ScheduleRunsService,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List schedules', description: 'Oldest first.' })
  async list(@WorkspaceId() workspaceId: string, @Query() _query: NoQueryDto): Promise<ScheduleDto[]> {
    return (await this.schedules.list(workspaceId)).map((schedule) => ScheduleDto.from(schedule));
  }

  @Post()
  @ApiOperation({
    summary: 'Create a schedule',
    description:
      'Creates a scrape job at every time that `cron_expression` matches, starting with the next match.',
  })
  @ApiProblems('quota_exceeded')
  async create(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @Body() body: CreateScheduleDto,
  ): Promise<ScheduleDto> {
    return ScheduleDto.from(await this.schedules.create(workspaceId, body));
  }

  @Get(':schedule_id')
  @ApiOperation({ summary: 'Get a schedule', description: 'The record as in the list of schedules.' })
  async get(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('schedule', 'schedule_id') id: string,
  ): Promise<ScheduleDto> {
    return ScheduleDto.from(await this.schedules.get(workspaceId, id));
  }

  @Patch(':schedule_id')
  @ApiOperation({
    summary: 'Update a schedule',
    description: 'Changes only the fields in the body. `is_active` pauses or resumes the schedule.',
  })
  async update(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('schedule', 'schedule_id') id: string,
    @Body() body: UpdateScheduleDto,
  ): Promise<UpdatedScheduleDto> {
    return UpdatedScheduleDto.from(await this.schedules.update(workspaceId, id, body));
  }

  @Delete(':schedule_id')
  @ApiOperation({
    summary: 'Delete a schedule',
    description: 'Deletes the schedule and its history. Jobs it created are kept.',
  })
  async delete(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('schedule', 'schedule_id') id: string,
  ): Promise<MessageDto> {
    await this.schedules.delete(workspaceId, id);
    return { message: 'Schedule deleted' };
  }

  @Get(':schedule_id/runs')
  @ApiOperation({
    summary: "List a schedule's occurrences",
    description:
      'Due times, newest first, each with the job it created or the reason it was skipped. Kept for 90 days.',
  })
  listScheduleRuns(
    @WorkspaceId() workspaceId: string,
    @PathId('schedule', 'schedule_id') id: string,
    @Query() query: OffsetPageDto,
  ): Promise<ScheduleRunPageDto> {
    return this.runs.listRuns(workspaceId, id, query);
  }

  @Get(':schedule_id/next')
  @ApiOperation({
    summary: 'List upcoming due times',
    description: 'The next times at which the schedule creates a job, soonest first.',
  })
  async listNextRuns(
    @WorkspaceId() workspaceId: string,
    @PathId('schedule', 'schedule_id') id: string,
    @Query() query: NextRunsQueryDto,
  ): Promise<NextRunsDto> {
    return {
      schedule_id: publicId('schedule', id),
      next_runs: await this.runs.nextRuns(workspaceId, id, query.count),
    };
  }

  @Post(':schedule_id/run')
  @ApiOperation({
    summary: 'Run a schedule now',
    description:
      'Creates a job immediately, even if the schedule is paused or its last job is unfinished. `next_run_at` does not change.',
  })
  @ApiProblems('quota_exceeded')
  async run(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('schedule', 'schedule_id') id: string,
  ): Promise<JobDto> {
    return JobDto.from(await this.runs.runNow(workspaceId, id));
  }
}
