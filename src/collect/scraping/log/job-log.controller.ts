import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { PathId } from '../../../http/parameters/id.pipe.js';
import { NoQueryDto } from '../../../http/parameters/no-query.dto.js';
import { WorkspaceId } from '../../../http/request/workspace.decorator.js';
import type { Job } from '../../jobs/job.entity.js';
import { JobsService } from '../../jobs/jobs.service.js';
import type { JobLogEntry } from '../job-log-entry.entity.js';
import { JobLogDto, type JobLogEntryDto } from './dto/job-log.dto.js';
import { JobLogRepository } from './job-log.repository.js';

@Controller('workspaces/:workspace_id/jobs/:job_id/log')
export class JobLogController {
  constructor(
    private readonly jobs: JobsService,
    private readonly log: JobLogRepository,
  ) {}

  @Get()
  @ApiOperation({
    summary: "Get a scrape job's log",
    description:
      'Steps, errors and retries of the job, oldest first, at most 502 entries. The log is deleted with the job.',
  })
  async get(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('job', 'job_id') id: string,
  ): Promise<JobLogDto> {
    const job = await this.jobs.get(workspaceId, id);
    const entries = await this.log.list(workspaceId, id);
    return {
      entries: [created(job), ...entries.map(toDto), ...ended(job)],
      left_out: (entries.at(-1)?.seq ?? 0) - entries.length,
    };
  }
}

const toDto = (entry: JobLogEntry): JobLogEntryDto => ({
  at: entry.at,
  level: entry.level,
  event: entry.event,
  message: entry.message,
  details: entry.details,
});

/** The first entry of a job, from its record. */
function created({ createdAt, mode, postLimit }: Job): JobLogEntryDto {
  return {
    at: createdAt,
    level: 'info',
    event: 'created',
    message: 'The job was created',
    details: { mode, limit: postLimit },
  };
}

/** The last entry of a job that has ended, from its record. */
function ended(job: Job): JobLogEntryDto[] {
  const { status, completedAt, errorCode, errorMessage, postsScraped, commentsScraped, mediaDownloaded } =
    job;
  if (completedAt === null) return [];
  const counts = { posts: postsScraped, comments: commentsScraped, media: mediaDownloaded };
  return [
    {
      at: completedAt,
      level: status === 'failed' ? 'warn' : 'info',
      event: status,
      message: errorMessage ?? `The job was ${status}`,
      details: errorCode === null ? counts : { ...counts, error_code: errorCode },
    },
  ];
}
