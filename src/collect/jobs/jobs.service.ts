import { Injectable } from '@nestjs/common';
import { DEFAULT_PAGE_SIZE } from '../../http/pages/page.dto.js';
import { Clock } from '../../common/clock.js';
import { newId } from '../../common/ids.js';
import { Problem } from '../../http/problems/problem.js';
import { PluginRegistry } from '../../enrichment/plugins/plugin-registry.js';
import type { CreateJobDto } from './dto/create-job.dto.js';
import { JobDto, JobListItemDto, type JobPageDto } from './dto/job.dto.js';
import type { ListJobsDto, ViewJobDto } from './dto/list-jobs.dto.js';
import { JobMetrics } from './job-metrics.js';
import { JobRecords } from './job-records.js';
import { PendingJobs } from './pending-jobs.js';
import { type Job, type ScrapeMode, unstarted } from './job.entity.js';
import { JobsRepository } from './jobs.repository.js';
import { SOURCES } from '../../platforms/registry.js';

const DEFAULT_POST_LIMIT = 100;

/** Settings of a job; absent fields take their defaults. */
export type JobRequest = Pick<
  CreateJobDto,
  'target' | 'target_type' | 'limit' | 'download_media' | 'scrape_comments' | 'plugins'
> & { mode: ScrapeMode; config?: Record<string, unknown>; scheduleId?: string };

/** Creates, repeats, lists and cancels jobs. */
@Injectable()
export class JobsService {
  constructor(
    private readonly jobs: JobsRepository,
    private readonly pending: PendingJobs,
    private readonly metrics: JobMetrics,
    private readonly clock: Clock,
    private readonly plugins: PluginRegistry,
    private readonly records: JobRecords,
  ) {}

  async create(workspaceId: string, request: JobRequest): Promise<Job> {
    const refusal = this.plugins.refuse(request.plugins ?? []);
    if (refusal !== null) throw Problem.validation([{ field: 'plugins', message: refusal }]);
    const job = newJob(workspaceId, request, this.clock.now());
    await this.pending.add(job);
    return job;
  }

  /** Creates a job with the parameters of another. Throws 404, or 400 when one of its plugins no longer exists. */
  async repeat(workspaceId: string, id: string): Promise<Job> {
    const job = await this.get(workspaceId, id);
    return this.create(workspaceId, {
      target: job.target,
      target_type: job.targetType,
      mode: job.mode,
      config: job.config,
      limit: job.postLimit,
      download_media: job.downloadMedia,
      scrape_comments: job.scrapeComments,
      plugins: job.plugins,
    });
  }

  async list(workspaceId: string, query: ListJobsDto): Promise<JobPageDto> {
    const { limit = DEFAULT_PAGE_SIZE, offset = 0, view, target, ...filter } = query;
    const targets = target === undefined ? undefined : SOURCES.targetsNamed(target);
    const [jobs, total] = await this.jobs.list(workspaceId, { ...filter, targets }, { limit, offset });
    return {
      jobs:
        view === 'full'
          ? (await this.records.describe(workspaceId, jobs)).map((record, index) =>
              JobDto.fullFrom(jobs[index]!, record),
            )
          : jobs.map((job) => JobListItemDto.from(job)),
      total,
      has_more: offset + jobs.length < total,
    };
  }

  async get(workspaceId: string, id: string): Promise<Job> {
    const job = await this.jobs.find(workspaceId, id);
    if (job === null) throw Problem.notFound('job');
    return job;
  }

  /** The record of a job, including the cause of its wait, and its settings with the view `full`. Throws 404. */
  async describe(workspaceId: string, id: string, view: ViewJobDto['view']): Promise<JobDto> {
    const job = await this.get(workspaceId, id);
    const [record] = await this.records.describe(workspaceId, [job]);
    return view === 'full' ? JobDto.fullFrom(job, record!) : record!;
  }

  async cancel(workspaceId: string, id: string): Promise<void> {
    if (await this.jobs.cancel(workspaceId, id)) return this.metrics.cancel();
    const { status } = await this.get(workspaceId, id);
    throw new Problem(
      'job_not_cancellable',
      `The job is ${status}. Only pending and running jobs can be cancelled.`,
    );
  }
}

/** Creates a pending job. In mode `history` comments and media are skipped unless requested. */
export function newJob(workspaceId: string, request: JobRequest, now: Date): Job {
  const byDefault = request.mode !== 'history';
  return {
    workspaceId,
    id: newId(),
    target: request.target,
    targetType: request.target_type ?? 'forum',
    mode: request.mode,
    config: request.config ?? {},
    postLimit: request.limit ?? DEFAULT_POST_LIMIT,
    downloadMedia: request.download_media ?? byDefault,
    scrapeComments: request.scrape_comments ?? byDefault,
    plugins: [...new Set(request.plugins)],
    scheduleId: request.scheduleId ?? null,
    ...unstarted(),
    createdAt: now,
  };
}
