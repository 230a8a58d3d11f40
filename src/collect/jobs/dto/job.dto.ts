import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { publicId } from '../../../common/ids.js';
import type { TargetType } from '../../../platforms/platform.js';
import { remedyOf } from '../job-remedy.js';
import { shownProgress } from '../job-estimate.js';
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
  /** Maximum number of posts. Only with `view=full`. */
  limit?: number;
  /** Only with `view=full`. */
  download_media?: boolean;
  /** Only with `view=full`. */
  scrape_comments?: boolean;
  /** Only with `view=full`. */
  plugins?: string[];
  /** The schedule that started it; null when a person or program did. Only with `view=full`. */
  @ApiProperty({ type: String, nullable: true, required: false })
  schedule_id?: string | null;

  /** The record with the settings of the job. */
  static fullFrom(job: Job, record: JobDto): JobDto {
    return {
      ...record,
      limit: job.postLimit,
      download_media: job.downloadMedia,
      scrape_comments: job.scrapeComments,
      plugins: job.plugins,
      schedule_id: job.scheduleId === null ? null : publicId('schedule', job.scheduleId),
    };
  }

  /**
   * The record; `waiting` is the cause of the wait of a job that no worker executes, and `now` the time for which its end is
   * estimated.
   */
  static from(job: Job, waiting?: WaitingForDto, now: Date | null = null): JobDto {
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
      progress: progressOf(job, waiting, now),
      created_at: job.createdAt,
    };
  }
}

function progressOf(job: Job, waiting: WaitingForDto | undefined, now: Date | null): JobProgressDto {
  const progress = {
    ...job.progress,
    ...shownProgress(job, now),
    ...(waiting !== undefined && { waiting_for: waiting }),
  };
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
