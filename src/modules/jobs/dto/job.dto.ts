import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { publicId } from '../../../common/ids.js';
import type { TargetType } from '../../../platforms/platform.js';
import { remedyOf } from '../job-remedy.js';
import type {
  Job,
  JobProgress,
  JobStatus,
  ScrapeMode,
  StopReason,
  WaitingFor,
  WaitReason,
} from '../job.entity.js';

export class JobListItemDto {
  id: string;
  target: string;
  target_type: TargetType;
  status: JobStatus;
  posts_scraped: number;
  comments_scraped: number;
  created_at: Date;

  static from(job: Job): JobListItemDto {
    return {
      id: publicId('job', job.id),
      target: job.target,
      target_type: job.targetType,
      status: job.status,
      posts_scraped: job.postsScraped,
      comments_scraped: job.commentsScraped,
      created_at: job.createdAt,
    };
  }
}

/** Failures of one plugin in a job. */
export class PluginErrorDto {
  plugin: string;
  /** Number of batches that were processed without the plugin. */
  count: number;
  /** Message of the last failure. */
  message: string;
}

/** What a job waits for. */
export class WaitingForDto implements WaitingFor {
  /** `budget`: the request budget; `retry`: a request failed or got no response and is retried; `worker`: no worker is running; `turn`: other jobs start first. */
  reason: WaitReason;
  /** When the wait is expected to end; null if unknown. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  until: string | null;
  /** One sentence. */
  cause: string;
  /** Position among the workspace's pending jobs, from 1; only for `turn`. */
  position?: number;
}

/** Empty on creation. */
export class JobProgressDto implements JobProgress {
  posts?: number;
  comments?: number;
  media?: number;
  /** Requests sent to the platform, retries included. */
  requests?: number;
  /** Comments that the platform listed but did not deliver. */
  comments_missing?: number;
  /** Media files that could not be downloaded. */
  media_failed?: number;
  /** Why the latest media file could not be downloaded, e.g. because a quota is exceeded. */
  media_failed_reason?: string;
  /** Plugins that failed on at least one batch. */
  plugin_errors?: PluginErrorDto[];
  /** Why the scrape collected no further posts. */
  stop_reason?: StopReason;
  /** Source of the posts. */
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
  /** Why the job failed, as a stable code. */
  error_code?: string;
  /** What to do about a wait, a failure, a cancellation or missing media. */
  remedy?: string;
}

export class JobDto {
  id: string;
  workspace_id: string;
  target: string;
  target_type: TargetType;
  mode: ScrapeMode;
  config: Record<string, unknown>;
  status: JobStatus;
  started_at: Date | null;
  completed_at: Date | null;
  duration_seconds: number | null;
  posts_scraped: number;
  comments_scraped: number;
  media_downloaded: number;
  error_message: string | null;
  progress: JobProgressDto;
  created_at: Date;

  /** The record; `waiting` is what a job waits for that no worker executes. */
  static from(job: Job, waiting?: WaitingFor): JobDto {
    return {
      id: publicId('job', job.id),
      workspace_id: publicId('workspace', job.workspaceId),
      target: job.target,
      target_type: job.targetType,
      mode: job.mode,
      config: job.config,
      status: job.status,
      started_at: job.startedAt,
      completed_at: job.completedAt,
      duration_seconds:
        job.startedAt && job.completedAt
          ? (job.completedAt.getTime() - job.startedAt.getTime()) / 1000
          : null,
      posts_scraped: job.postsScraped,
      comments_scraped: job.commentsScraped,
      media_downloaded: job.mediaDownloaded,
      error_message: job.errorMessage,
      progress: progressOf(job, waiting),
      created_at: job.createdAt,
    };
  }
}

function progressOf(job: Job, waiting: WaitingFor | undefined): JobProgressDto {
  const progress = waiting === undefined ? job.progress : { ...job.progress, waiting_for: waiting };
  const remedy = remedyOf(job, progress);
  if (job.errorCode === null && remedy === null) return progress;
  return {
    ...progress,
    ...(job.errorCode !== null && { error_code: job.errorCode }),
    ...(remedy !== null && { remedy }),
  };
}

@ApiExtraModels(JobListItemDto, JobDto)
export class JobPageDto {
  /** Full records with `view=full`. */
  @ApiProperty({
    type: 'array',
    items: { anyOf: [{ $ref: getSchemaPath(JobListItemDto) }, { $ref: getSchemaPath(JobDto) }] },
  })
  jobs: (JobListItemDto | JobDto)[];
  total: number;
  has_more: boolean;
}
