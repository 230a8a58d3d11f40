import type { DestinationKind } from '../../../deliver/queue/delivery.entity.js';
import { EndedJobsDto } from '../../../collect/jobs/dto/ended-jobs.dto.js';
import {
  ExecutionOverviewDto,
  FailedJobDto,
  WorkerOverviewDto,
} from '../../../collect/jobs/dto/jobs-overview.dto.js';
import { OpenCircuitDto, OutboxOverviewDto } from '../../../deliver/log/dto/deliveries-overview.dto.js';
import type { QueueName } from '../../../tenants/ports/overview.js';

export class QueueOverviewDto {
  /** `jobs` and `exports`: pending ones; `schedules`: due ones; `deliveries`: pending ones, including retries. */
  queue: QueueName;
  /** Number of entries of active workspaces; those of suspended workspaces are not counted. */
  waiting: number;
  /** Age of the oldest entry; 0 if there is none. */
  oldest_seconds: number;
}

export class RequestBudgetDto {
  /** The platform: as in the progress of jobs, with `:SITE` for one site of it. */
  source: string;
  /** Maximum number of requests within `window_seconds`, over all processes. */
  limit: number;
  window_seconds: number;
  /** Requests in the last `window_seconds`. */
  used: number;
  /** Requests that may be sent now; less than `limit - used` if the platform reports less. */
  remaining: number;
  /** Workspaces waiting to send a request, counted once per priority. */
  waiting: number;
  /** Seconds until the end of the window that the platform reports; null if it reports none. */
  resets_in_seconds: number | null;
}

export class ServerHealthDto {
  status: 'ok' | 'unavailable';
  /** Round-trip time of one small request; null if unavailable. */
  latency_ms: number | null;
}

export class PoolOverviewDto {
  pool: string;
  in_use: number;
  /** Statements waiting for a connection. */
  waiting: number;
}

export class DatabaseHealthDto extends ServerHealthDto {
  /** Connection pools of the responding process. */
  pools: PoolOverviewDto[];
}

export class VersionsDto {
  /** Version of the responding process. */
  service: string;
  node: string;
  /** Null if Postgres is unavailable. */
  postgres: string | null;
  /** Null if Redis is unavailable. */
  redis: string | null;
}

/** The state of the whole service. Parts whose server does not answer in time are null. */
export class OverviewDto {
  queues: QueueOverviewDto[] | null;
  request_budget: RequestBudgetDto[] | null;
  /** The 200 with the oldest leases. */
  executions: ExecutionOverviewDto[] | null;
  /** The 20 jobs that failed last within 24 hours, newest first. */
  failed_jobs: FailedJobDto[] | null;
  /** Jobs that ended in each of the last 24 hours, oldest first; the last hour is not over. Counts the newest 50,000 jobs. */
  ended_jobs: EndedJobsDto[] | null;
  /** Processes with the role `worker` that were seen in the last 24 hours. */
  workers: WorkerOverviewDto[] | null;
  outbox: OutboxOverviewDto | null;
  /** The 100 destinations with open circuits that have the most failures. */
  destinations: OpenCircuitDto[] | null;
  /** Number of all destinations with open circuits. */
  destinations_circuit_open: number | null;
  database: DatabaseHealthDto;
  redis: ServerHealthDto;
  versions: VersionsDto;
}

export class RetriedDestinationDto {
  /** Id of the webhook, alert or member. */
  id: string;
  workspace_id: string;
  kind: DestinationKind;
  /** Pending deliveries that are due now, at most 10,000. */
  deliveries_due: number;
}
