import { Controller, Query, Req, UseGuards } from '@nestjs/common';
import type { Request } from 'express';
import { map, type Observable } from 'rxjs';
import { onOneLine } from '../../common/json-line.js';
import { PathId } from '../../http/parameters/id.pipe.js';
import { NoQueryDto } from '../../http/parameters/no-query.dto.js';
import { NothingMore } from '../../http/pages/nothing-more.js';
import type { Caller } from '../../http/request/request.js';
import { RequestCaller } from '../../http/request/workspace.decorator.js';
import { Problem } from '../../http/problems/problem.js';
import { FINAL_JOB_STATUSES, type Job } from './job.entity.js';
import { JobDto } from './dto/job.dto.js';
import { JobEventsService } from './job-events.service.js';
import { FoundJob, ReadJob } from './read-job.guard.js';
import { EventStreamRoute } from '../../tenants/usage/event-stream.decorator.js';

/** Id of the last event. Clients that reconnect send it back. */
const END = 'end';

/** An event as Nest writes it. */
interface SentEvent {
  type: string;
  /** JSON on one line. */
  data: string;
  id?: string;
}

@Controller('workspaces/:workspace_id/jobs/:job_id/events')
export class JobEventsController {
  constructor(private readonly events: JobEventsService) {}

  @EventStreamRoute({
    summary: 'Follow a scrape job',
    description:
      'Server-sent events: `progress` with the job record immediately and after every change, then `end` with the final record, after which the stream closes. `heartbeat` events keep the connection open. A client that reconnects after `end` gets 204, which ends an `EventSource`.',
    events: { progress: JobDto, end: JobDto },
  })
  @UseGuards(ReadJob)
  follow(
    @RequestCaller() caller: Caller,
    @Query() _query: NoQueryDto,
    @PathId('job', 'job_id') _id: string,
    @FoundJob() job: Job | null,
    @Req() request: Request,
  ): Observable<SentEvent> {
    if (job === null) throw Problem.notFound('job');
    if (request.get('Last-Event-ID') === END && FINAL_JOB_STATUSES.includes(job.status))
      throw new NothingMore();
    return this.events
      .watch(job, () => caller.isStillValid())
      .pipe(
        map(({ type, data }) => ({
          type,
          data: onOneLine(JSON.stringify(data)),
          ...(type === 'end' && { id: END }),
        })),
      );
  }
}
