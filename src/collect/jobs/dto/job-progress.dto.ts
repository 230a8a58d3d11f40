import { ApiProperty } from '@nestjs/swagger';
import type { StopReason } from '../stop-reasons.js';

/** Things that a job can wait for. */
export type WaitReason = 'budget' | 'retry' | 'worker' | 'claims' | 'turn';

/** Failures of one plugin in a job. */
export class PluginErrorDto {
  plugin: string;
  /** Number of batches that were processed without the plugin. */
  count: number;
  /** Message of the last failure. */
  message: string;
}

/** The cause of a job's wait. */
export class WaitingForDto {
  /** `budget`: the request budget; `retry`: a request failed or got no response and is retried; `worker`: no worker is running; `claims`: workers are running, but the database refuses their claims; `turn`: other jobs start first. */
  reason: WaitReason;
  /** When the wait is expected to end; null if unknown. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  until: string | null;
  /** One sentence. */
  cause: string;
  /** Position among the workspace's pending jobs, from 1; only for `turn`. */
  position?: number;
}

/** Progress of a job as it is stored. Empty on creation. */
export class JobProgress {
  posts?: number;
  comments?: number;
  media?: number;
  /** Requests sent to the platform, retries included. */
  requests?: number;
  /** Posts that the platform listed and that could not be read; the job's log says why. */
  posts_missing?: number;
  /** Estimated number of posts since the target's last job that this one did not reach, from the pace of those that it read. Only of a source whose listings are short. */
  gap?: number;
  /** Comments that the platform listed but did not deliver. */
  comments_missing?: number;
  /** Media files that could not be downloaded. */
  media_failed?: number;
  /** Why the latest media file could not be downloaded, e.g. because a quota is exceeded. */
  media_failed_reason?: string;
  /** Plugins that failed on at least one batch. */
  plugin_errors?: PluginErrorDto[];
  /** Posts that the workspace did not have before. */
  posts_new?: number;
  /** Why the scrape collected no further posts. */
  stop_reason?: StopReason;
  /** Source of the posts, as in `GET /sources`; `archive` when they come from Reddit's archive only, `reddit_feeds` when from its feeds. */
  source?: string;
  /** Present if the job has been waiting for at least one second. */
  waiting_for?: WaitingForDto;
  /** Number of posts whose comments are still to be read; only while the job is running. */
  comments_pending?: number;
  /** Number of media files still to be downloaded; only while the job is running. */
  media_pending?: number;
  /** Time after which media files that are still missing count as failed; present when only media are left to download. */
  @ApiProperty({ type: String, format: 'date-time' })
  media_until?: string;
}

/** Keys of {@link JobProgress} that apply only while the job runs. */
export const RUNNING_PROGRESS = [
  'waiting_for',
  'comments_pending',
  'media_pending',
  'media_until',
] as const satisfies readonly (keyof JobProgress)[];

/** The current step of a running job; `finishing` when only the last writes are left. */
export const JOB_PHASES = ['listing', 'comments', 'media', 'finishing'] as const;
export type JobPhase = (typeof JOB_PHASES)[number];

/** How much is done of what is known so far. */
export class JobShareDto {
  done: number;
  total: number;
}

/** Empty on creation. */
export class JobProgressDto extends JobProgress {
  /** Maximum number of posts; from the start of the job on. */
  limit?: number;
  /** Only while the job is running. */
  @ApiProperty({ enum: JOB_PHASES, required: false })
  phase?: JobPhase;
  /** Threads of comments that were read, of the posts stored so far. Only while the job is running and reads comments. */
  threads?: JobShareDto;
  /** Media files that were downloaded or failed, of those found so far. Only while the job is running and has some. */
  files?: JobShareDto;
  /** Posts that the workspace had before and that were refreshed. */
  posts_updated?: number;
  /** Estimated time until the end; null until it can be told. Only while the job is running. */
  @ApiProperty({ type: 'integer', nullable: true, required: false })
  seconds_left?: number | null;
  /** Why the job failed, as a stable code. */
  error_code?: string;
  /** Advice on a wait, a failure, a cancellation or missing media. */
  remedy?: string;
}
