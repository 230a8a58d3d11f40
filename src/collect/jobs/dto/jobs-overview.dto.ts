import type { ScrapeMode } from '../job.entity.js';

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
