import type { DestinationKind } from '../../../deliver/queue/delivery.entity.js';
import { EndedJobsDto } from '../../../collect/jobs/dto/ended-jobs.dto.js';
import type { ScrapeMode } from '../../../collect/jobs/job.entity.js';

/** Kinds of queued work. */
export const QUEUE_NAMES = ['jobs', 'exports', 'schedules', 'deliveries'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

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

export class ExecutionOverviewDto {
  job_id: string;
  workspace_id: string;
  target: string | null;
  mode: ScrapeMode | null;
  started_at: Date | null;
  /** `host:process id`; null if the worker released the job. */
  worker: string | null;
  /** Executions since the job last stored a batch. */
  attempts: number;
  /** Time since the worker last renewed its lease or released the job. */
  lease_age_seconds: number;
  /** Whether any worker may take the job over. */
  lease_expired: boolean;
}

export class FailedJobDto {
  job_id: string;
  workspace_id: string;
  target: string;
  mode: ScrapeMode;
  failed_at: Date;
  /** As in the progress of the job; null if it is unknown. */
  error_code: string | null;
  error_message: string | null;
}

export class WorkerOverviewDto {
  /** `host:process id`. */
  worker: string;
  seen_seconds_ago: number;
  /** Whether its last heartbeat is less than ten seconds old. */
  alive: boolean;
  /** Whether it fails to claim jobs. */
  claims_failing: boolean;
}

export class OutboxOverviewDto {
  /** Events that have not been turned into deliveries yet. */
  pending: number;
  /** Age of the oldest pending event; 0 if there is none. */
  lag_seconds: number;
  /** Events that could not be turned into deliveries and were set aside. */
  set_aside: number;
}

export class OpenCircuitDto {
  /** Id of the webhook, alert or member. */
  id: string;
  /** Name of the alert, or host of the webhook; null for a member, or if it is deleted or its URL cannot be decrypted. */
  name: string | null;
  workspace_id: string;
  kind: DestinationKind;
  /** Failed attempts since the last success. */
  failures: number;
  /** When the next probe is due; null if nothing is pending. */
  next_attempt_at: Date | null;
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
