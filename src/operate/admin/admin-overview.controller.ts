import { Controller, Get, HttpCode, HttpStatus, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiParam } from '@nestjs/swagger';
import { parseId, publicId } from '../../common/ids.js';
import { Post } from '../../http/changes/change.decorators.js';
import { PathId } from '../../http/parameters/id.pipe.js';
import { NoQueryDto } from '../../http/parameters/no-query.dto.js';
import { Problem } from '../../http/problems/problem.js';
import { ApiProblems } from '../../http/problems/problem.openapi.js';
import { DestinationRetries } from '../../deliver/log/destination-retries.service.js';
import { JobDto } from '../../collect/jobs/dto/job.dto.js';
import { JobRetries } from '../../collect/scraping/job-retries.js';
import { AdminOverviewService } from './admin-overview.service.js';
import { AdminOperations } from '../../access/operators/admin.guard.js';
import { OverviewDto, RetriedDestinationDto } from './dto/overview.dto.js';

@AdminOperations()
@Controller('admin')
export class AdminOverviewController {
  constructor(
    private readonly overview: AdminOverviewService,
    private readonly jobs: JobRetries,
    private readonly destinations: DestinationRetries,
  ) {}

  @Get('overview')
  @ApiOperation({
    summary: 'Get the state of the service',
    description:
      'Queues with the age of their oldest entry, request budgets, executions with the age of their lease, the jobs that failed last and what ended in each of the last 24 hours, workers, the outbox, destinations with open circuits, servers and versions. Responds with 200 even if Postgres or Redis is unavailable; the values stored there are then null.',
  })
  get(@Query() _query: NoQueryDto): Promise<OverviewDto> {
    return this.overview.read();
  }

  @Post('jobs/:job_id/retry')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    summary: 'Retry a job',
    description:
      'Queues an ended job again under the same id, regardless of quotas. It starts from the beginning with its counters at 0, and emits another event when it ends. Posts, comments and media that it stored are kept.',
  })
  @ApiProblems('job_not_retryable')
  async retryJob(@PathId('job', 'job_id') id: string, @Query() _query: NoQueryDto): Promise<JobDto> {
    return JobDto.from(await this.jobs.retry(id));
  }

  @Post('destinations/:destination_id/retry')
  @HttpCode(HttpStatus.OK)
  @ApiOperation({
    summary: 'Retry a destination',
    description:
      'Closes the circuit of a webhook or alert and sends its pending deliveries now instead of at their next retry. An inactive destination stays inactive.',
  })
  @ApiParam({
    name: 'destination_id',
    description: 'The uuid of a webhook or an alert, bare or with its prefix (`wh_…`, `alert_…`)',
    schema: { type: 'string', pattern: '^((wh|alert)_)?[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$' },
  })
  async retryDestination(
    @Param('destination_id') given: string,
    @Query() _query: NoQueryDto,
  ): Promise<RetriedDestinationDto> {
    const id = parseId('webhook', given) ?? parseId('alert', given);
    if (id === null)
      throw Problem.validation([{ field: 'destination_id', message: 'destination_id must be a uuid' }]);
    const { workspaceId, kind, due } = await this.destinations.retry(id);
    return {
      id: publicId(kind, id),
      workspace_id: publicId('workspace', workspaceId),
      kind,
      deliveries_due: due,
    };
  }
}
