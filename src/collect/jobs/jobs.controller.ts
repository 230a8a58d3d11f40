import { Body, Controller, Get, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { Delete, Post } from '../../http/changes/change.decorators.js';
import { PathId } from '../../http/parameters/id.pipe.js';
import { MessageDto } from '../../http/parameters/message.dto.js';
import { NoQueryDto } from '../../http/parameters/no-query.dto.js';
import { ApiProblems } from '../../http/problems/problem.openapi.js';
import { WorkspaceId } from '../../http/request/workspace.decorator.js';
import { CreateJobDto } from './dto/create-job.dto.js';
import { JobDto, JobPageDto } from './dto/job.dto.js';
import { ListJobsDto, ViewJobDto } from './dto/list-jobs.dto.js';
import { JobsService } from './jobs.service.js';

@Controller('workspaces/:workspace_id/jobs')
export class JobsController {
  constructor(private readonly jobs: JobsService) {}

  @Post()
  @ApiOperation({
    summary: 'Create a scrape job',
    description:
      'Queues a job that collects posts of a forum or a user. The job starts when a worker is free.',
  })
  @ApiProblems('quota_exceeded')
  async create(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @Body() body: CreateJobDto,
  ): Promise<JobDto> {
    return JobDto.from(await this.jobs.create(workspaceId, { ...body, mode: body.mode ?? 'full' }));
  }

  @Get()
  @ApiOperation({
    summary: 'List scrape jobs',
    description: 'Newest first. With `view=full`, each item is the full record.',
  })
  list(@WorkspaceId() workspaceId: string, @Query() query: ListJobsDto): Promise<JobPageDto> {
    return this.jobs.list(workspaceId, query);
  }

  @Get(':job_id')
  @ApiOperation({
    summary: 'Get a scrape job',
    description:
      'The full record with status, counters and progress: why the job is waiting, why it failed, and what to do about it.',
  })
  get(
    @WorkspaceId() workspaceId: string,
    @Query() { view }: ViewJobDto,
    @PathId('job', 'job_id') id: string,
  ): Promise<JobDto> {
    return this.jobs.describe(workspaceId, id, view);
  }

  @Delete(':job_id')
  @ApiOperation({
    summary: 'Cancel a scrape job',
    description: 'Stops a pending or running job. Posts, comments and media stored so far are kept.',
  })
  @ApiProblems('job_not_cancellable')
  async cancel(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('job', 'job_id') id: string,
  ): Promise<MessageDto> {
    await this.jobs.cancel(workspaceId, id);
    return { message: 'Job cancelled' };
  }

  @Post(':job_id/repeat')
  @ApiOperation({
    summary: 'Repeat a scrape job',
    description:
      'Creates a new job with the parameters of this one, regardless of its status. The new job does not belong to a schedule.',
  })
  @ApiProblems('quota_exceeded')
  async repeat(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('job', 'job_id') id: string,
  ): Promise<JobDto> {
    return JobDto.from(await this.jobs.repeat(workspaceId, id));
  }
}
