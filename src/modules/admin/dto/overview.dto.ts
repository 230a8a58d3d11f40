import type { DestinationKind } from '../../delivery/delivery.entity.js';
import type { ScrapeMode } from '../../jobs/job.entity.js';

/** What waits in the service, by kind. */
export const QUEUE_NAMES = ['jobs', 'exports', 'schedules', 'deliveries'] as const;
/** One of {@link QUEUE_NAMES}. */
export type QueueName = (typeof QUEUE_NAMES)[number];

export class QueueOverviewDto {
  /** `jobs` and `exports` that are pending, `schedules` that are due, `deliveries` that are pending, for a retry too. */
  queue: QueueName;
  /** Of active workspaces; suspended ones wait for their operator. */
  waiting: number;
  /** Age of the oldest; 0 when nothing waits. */
  oldest_seconds: number;
}

export class RequestBudgetDto {
  /** The platform: `reddit` or `hackernews`. */
  source: string;
  /** Most requests within `window_seconds`, over all processes. */
  limit: number;
  window_seconds: number;
  /** Requests of the last `window_seconds`. */
  used: number;
  /** Requests that may be sent now; less than `limit - used` when the platform itself reports less. */
  remaining: number;
  /** Workspaces that wait for a request, counted for each priority. */
  waiting: number;
  /** Seconds to the end of the window that the platform reports; null when it reports none. */
  resets_in_seconds: number | null;
}

export class ExecutionOverviewDto {
  job_id: string;
  workspace_id: string;
  target: string | null;
  mode: ScrapeMode | null;
  started_at: Date | null;
  /** `host:process id`; null when the worker gave the job back. */
  worker: string | null;
  /** Claims since the job last stored a batch. */
  attempts: number;
  /** Time since the worker last renewed its lease, or gave the job back. */
  lease_age_seconds: number;
  /** Whether any worker may take the job over. */
  lease_expired: boolean;
}

export class WorkerOverviewDto {
  /** `host:process id`. */
  worker: string;
  seen_seconds_ago: number;
  /** Whether its last heartbeat is younger than ten seconds. */
  alive: boolean;
}

export class OutboxOverviewDto {
  /** Events that are not yet turned into deliveries. */
  pending: number;
  /** Age of the oldest of them; 0 when there is none. */
  lag_seconds: number;
  /** Events that could not be turned into deliveries and were set aside. */
  set_aside: number;
}

export class OpenCircuitDto {
  /** Id of the webhook or alert. */
  id: string;
  workspace_id: string;
  kind: DestinationKind;
  /** Failed attempts since the last success. */
  failures: number;
  /** When the next probe is due; null while nothing is pending. */
  next_attempt_at: Date | null;
}

export class ServerHealthDto {
  status: 'ok' | 'unavailable';
  /** Time of one small request; null while unavailable. */
  latency_ms: number | null;
}

export class PoolOverviewDto {
  pool: string;
  in_use: number;
  /** Statements that wait for a connection. */
  waiting: number;
}

export class DatabaseHealthDto extends ServerHealthDto {
  /** Connection pools of the process that answers. */
  pools: PoolOverviewDto[];
}

export class VersionsDto {
  /** Of the process that answers. */
  service: string;
  node: string;
  /** Null while Postgres is unavailable. */
  postgres: string | null;
  /** Null while Redis is unavailable. */
  redis: string | null;
}

/** The state of the whole service. Parts whose server does not answer in time are null. */
export class OverviewDto {
  queues: QueueOverviewDto[] | null;
  request_budget: RequestBudgetDto[] | null;
  /** The 200 with the oldest leases. */
  executions: ExecutionOverviewDto[] | null;
  /** Processes with the role worker that were seen in the last day. */
  workers: WorkerOverviewDto[] | null;
  outbox: OutboxOverviewDto | null;
  /** The 100 destinations with open circuits that failed most. */
  destinations: OpenCircuitDto[] | null;
  /** The number of all destinations with open circuits. */
  destinations_circuit_open: number | null;
  database: DatabaseHealthDto;
  redis: ServerHealthDto;
  versions: VersionsDto;
}

export class RetriedDestinationDto {
  /** Id of the webhook or alert. */
  id: string;
  workspace_id: string;
  kind: DestinationKind;
  /** Pending deliveries that are due now, at most 10,000. */
  deliveries_due: number;
}
