import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Redis } from 'ioredis';
import pLimit from 'p-limit';
import { DataSource } from 'typeorm';
import { publicId } from '../../common/ids.js';
import { withTimeout } from '../../common/timeout.js';
import { VERSION } from '../../common/version.js';
import type { Backlog } from '../../database/backlog.js';
import { DatabasePools } from '../../database/database-pools.js';
import { REDIS } from '../../infrastructure/queue/redis.js';
import { PlatformBudgets } from '../../platforms/platform-budgets.js';
import { DestinationQueuesRepository } from '../../deliver/queue/destination-queues.repository.js';
import { DestinationNames } from '../../deliver/log/destination-names.service.js';
import { OutboxRepository } from '../../messages/outbox/outbox.repository.js';
import { ExportJobsRepository } from '../../takeout/exports/export-jobs.repository.js';
import { JobWorkersRepository } from '../../collect/jobs/job-workers.repository.js';
import { JobsRepository } from '../../collect/jobs/jobs.repository.js';
import { DueSchedulesRepository } from '../../collect/schedules/due-schedules.repository.js';
import { LEASE_MS } from '../../collect/scraping/heartbeat.js';
import { JobExecutionsRepository } from '../../collect/scraping/job-executions.repository.js';
import { InactiveWorkspaces } from '../../tenants/workspaces/inactive-workspaces.js';
import type {
  ExecutionOverviewDto,
  FailedJobDto,
  OpenCircuitDto,
  OutboxOverviewDto,
  OverviewDto,
  QueueName,
  QueueOverviewDto,
  RequestBudgetDto,
  ServerHealthDto,
  WorkerOverviewDto,
} from './dto/overview.dto.js';

/** Timeout of each part of the overview, so that one slow part cannot block the others. */
const ANSWER_WITHIN_MS = 2_000;
/** Parts read in parallel, so that an overview uses few of the process's database connections. */
const READ_AT_ONCE = 3;
const MAX_EXECUTIONS = 200;
const MAX_DESTINATIONS = 100;
const MAX_FAILED = 20;
const MAX_ENDED = 50_000;

/** The state of the whole service, read afresh on each call. */
@Injectable()
export class AdminOverviewService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(REDIS) private readonly redis: Redis,
    private readonly pools: DatabasePools,
    private readonly jobs: JobsRepository,
    private readonly workers: JobWorkersRepository,
    private readonly executions: JobExecutionsRepository,
    private readonly exports: ExportJobsRepository,
    private readonly schedules: DueSchedulesRepository,
    private readonly outbox: OutboxRepository,
    private readonly destinations: DestinationQueuesRepository,
    private readonly names: DestinationNames,
    private readonly budgets: PlatformBudgets,
    private readonly inactive: InactiveWorkspaces,
  ) {}

  /** Never throws when Postgres or Redis is unavailable: the parts that come from it are null. */
  async read(): Promise<OverviewDto> {
    const [postgres, redis] = await Promise.all([
      measure(() =>
        this.dataSource.query<[{ version: string }]>(`SELECT current_setting('server_version') AS version`),
      ),
      measure(() => this.redis.info('server')),
    ]);
    const limit = pLimit(READ_AT_ONCE);
    const ofPostgres = <T>(read: () => Promise<T>): Promise<T | null> =>
      postgres === null ? Promise.resolve(null) : limit(async () => (await measure(read))?.answer ?? null);
    const [queues, budget, executions, failed, ended, workers, outbox, destinations, circuits] =
      await Promise.all([
        ofPostgres(() => this.readQueues()),
        redis === null ? null : this.readBudgets().catch(() => null),
        ofPostgres(() => this.readExecutions()),
        ofPostgres(() => this.readFailed()),
        ofPostgres(() => this.jobs.endedByHour(MAX_ENDED)),
        ofPostgres(() => this.readWorkers()),
        ofPostgres(() => this.readOutbox()),
        ofPostgres(() => this.readDestinations()),
        ofPostgres(() => this.destinations.countOpenCircuits()),
      ]);
    return {
      queues,
      request_budget: budget,
      executions,
      failed_jobs: failed,
      ended_jobs: ended,
      workers,
      outbox,
      destinations,
      destinations_circuit_open: circuits,
      database: {
        ...healthOf(postgres),
        pools: this.pools.usage().map(({ pool, inUse, waiting }) => ({ pool, in_use: inUse, waiting })),
      },
      redis: healthOf(redis),
      versions: {
        service: VERSION,
        node: process.version,
        postgres: postgres?.answer[0].version ?? null,
        redis: /^redis_version:(\S+)/m.exec(redis?.answer ?? '')?.[1] ?? null,
      },
    };
  }

  private async readQueues(): Promise<QueueOverviewDto[]> {
    const { ids } = this.inactive;
    return [
      queueOf('jobs', await this.jobs.backlog(ids)),
      queueOf('exports', await this.exports.backlog(ids)),
      queueOf('schedules', await this.schedules.backlog(ids, this.dataSource.manager)),
      queueOf('deliveries', await this.destinations.backlog(ids)),
    ];
  }

  private async readBudgets(): Promise<RequestBudgetDto[]> {
    const states = await withTimeout(this.budgets.states(), ANSWER_WITHIN_MS, 'Redis did not answer');
    return states.map(({ source, limit, withinMs, used, remaining, waiting, windowEndsInMs }) => ({
      source,
      limit,
      window_seconds: withinMs / 1_000,
      used,
      remaining,
      waiting,
      resets_in_seconds: windowEndsInMs === null ? null : windowEndsInMs / 1_000,
    }));
  }

  private async readExecutions(): Promise<ExecutionOverviewDto[]> {
    const leases = await this.executions.listLeases(LEASE_MS, MAX_EXECUTIONS);
    const jobs = await this.jobs.findEach(leases.map(({ workspaceId, jobId: id }) => ({ workspaceId, id })));
    return leases.map((lease) => {
      const job = jobs.get(lease.jobId);
      return {
        job_id: publicId('job', lease.jobId),
        workspace_id: publicId('workspace', lease.workspaceId),
        target: job?.target ?? null,
        mode: job?.mode ?? null,
        started_at: job?.startedAt ?? null,
        worker: lease.owner && processOf(lease.owner),
        attempts: lease.attempts,
        lease_age_seconds: lease.leaseAgeSeconds,
        lease_expired: lease.hasExpired,
      };
    });
  }

  private async readFailed(): Promise<FailedJobDto[]> {
    const jobs = await this.jobs.newestFailed(MAX_FAILED);
    return jobs.map((job) => ({
      job_id: publicId('job', job.id),
      workspace_id: publicId('workspace', job.workspaceId),
      target: job.target,
      mode: job.mode,
      failed_at: job.completedAt!,
      error_code: job.errorCode,
      error_message: job.errorMessage,
    }));
  }

  private async readWorkers(): Promise<WorkerOverviewDto[]> {
    const workers = await this.workers.list();
    return workers.map(({ id, seenSecondsAgo, isAlive, isFailing }) => ({
      worker: processOf(id),
      seen_seconds_ago: seenSecondsAgo,
      alive: isAlive,
      claims_failing: isFailing,
    }));
  }

  private async readOutbox(): Promise<OutboxOverviewDto> {
    const { count, oldestSeconds } = await this.outbox.backlog();
    return { pending: count, lag_seconds: oldestSeconds, set_aside: await this.outbox.countSetAside() };
  }

  private async readDestinations(): Promise<OpenCircuitDto[]> {
    const circuits = await this.destinations.openCircuits(MAX_DESTINATIONS);
    const named: OpenCircuitDto[] = [];
    for (const { workspaceId, kind, id, failures, dueAt } of circuits)
      named.push({
        id: publicId(kind, id),
        name: await this.names.of({ workspaceId, kind, id }),
        workspace_id: publicId('workspace', workspaceId),
        kind,
        failures,
        next_attempt_at: dueAt,
      });
    return named;
  }
}

/** The result of a read and its duration in milliseconds; null if it fails or times out. */
async function measure<T>(read: () => Promise<T>): Promise<{ answer: T; ms: number } | null> {
  const startedAt = performance.now();
  try {
    const answer = await withTimeout(read(), ANSWER_WITHIN_MS, 'no answer in time');
    return { answer, ms: performance.now() - startedAt };
  } catch {
    return null;
  }
}

function healthOf(measured: { ms: number } | null): ServerHealthDto {
  return measured === null
    ? { status: 'unavailable', latency_ms: null }
    : { status: 'ok', latency_ms: Math.round(measured.ms * 10) / 10 };
}

function queueOf(queue: QueueName, { count, oldestSeconds }: Backlog): QueueOverviewDto {
  return { queue, waiting: count, oldest_seconds: oldestSeconds };
}

/** Extracts `host:process id` from `host:process id:uuid`. */
function processOf(id: string): string {
  return id.slice(0, id.lastIndexOf(':'));
}
