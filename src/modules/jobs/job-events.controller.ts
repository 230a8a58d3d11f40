import { Controller, Query, Sse } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces } from '@nestjs/swagger';
import type { Observable } from 'rxjs';
import { PathId } from '../../http/id.pipe.js';
import { NoQueryDto } from '../../http/no-query.dto.js';
import { ApiProblems } from '../../http/problem.openapi.js';
import { WorkspaceId } from '../../http/workspace.decorator.js';
import { type JobEvent, JobEventsService } from './job-events.service.js';
import { JobsService } from './jobs.service.js';

@Controller('workspaces/:workspace_id/jobs/:job_id/events')
export class JobEventsController {
  constructor(
    private readonly jobs: JobsService,
    private readonly events: JobEventsService,
  ) {}

  @Sse()
  @ApiOperation({
    summary: 'Follow a scrape job',
    description:
      'Server-sent events: the job record as `progress` at once and after every change, then as `end`, after which the stream closes. `heartbeat` events keep it open.',
  })
  @ApiProduces('text/event-stream')
  @ApiOkResponse({ schema: { type: 'string' } })
  @ApiProblems('not_found')
  async follow(
    @WorkspaceId() workspaceId: string,
    @Query() _query: NoQueryDto,
    @PathId('job', 'job_id') id: string,
  ): Promise<Observable<JobEvent>> {
    return this.events.watch(await this.jobs.get(workspaceId, id));
  }
}
