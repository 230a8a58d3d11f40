import { Controller, Query, Sse, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces } from '@nestjs/swagger';
import type { Observable } from 'rxjs';
import { PathId } from '../../http/id.pipe.js';
import { NoQueryDto } from '../../http/no-query.dto.js';
import { Problem } from '../../http/problem.js';
import type { Job } from './job.entity.js';
import { type JobEvent, JobEventsService } from './job-events.service.js';
import { FoundJob, ReadJob } from './read-job.guard.js';
import { LimitConcurrency } from '../usage/concurrency.guard.js';

@Controller('workspaces/:workspace_id/jobs/:job_id/events')
export class JobEventsController {
  constructor(private readonly events: JobEventsService) {}

  @Sse()
  @UseGuards(ReadJob)
  @ApiOperation({
    summary: 'Follow a scrape job',
    description:
      'Server-sent events: `progress` with the job record immediately and after every change, then `end` with the final record, after which the stream closes. `heartbeat` events keep the connection open.',
  })
  @ApiProduces('text/event-stream')
  @ApiOkResponse({ schema: { type: 'string' } })
  @LimitConcurrency('event_streams')
  follow(
    @Query() _query: NoQueryDto,
    @PathId('job', 'job_id') _id: string,
    @FoundJob() job: Job | null,
  ): Observable<JobEvent> {
    if (job === null) throw Problem.notFound('job');
    return this.events.watch(job);
  }
}
