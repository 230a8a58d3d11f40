import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { publicId } from '../../../common/ids.js';
import type { TargetType } from '../../../platforms/platform.js';
import { remedyOf } from '../job-remedy.js';
import type { Job, JobStatus, ScrapeMode } from '../job.entity.js';
import { JobProgressDto, type WaitingForDto } from './job-progress.dto.js';

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
  static from(job: Job, waiting?: WaitingForDto): JobDto {
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

function progressOf(job: Job, waiting: WaitingForDto | undefined): JobProgressDto {
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
