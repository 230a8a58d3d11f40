import { Check, Column, Entity, Index } from 'typeorm';
import { WorkspaceRecord } from '../../database/workspace-row.js';
import type { TargetType } from '../../platforms/platform.js';
import { type JobProgress, RUNNING_PROGRESS } from './dto/job-progress.dto.js';

/** Replaces the target of jobs of an account that was erased. */
export const ERASED_TARGET = '[deleted]';

/** States of a job; see {@link FINAL_JOB_STATUSES}. */
export const JOB_STATUSES = ['pending', 'running', 'completed', 'cancelled', 'failed'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** The final states; only a retry by an operator leaves them. */
export const FINAL_JOB_STATUSES: readonly JobStatus[] = ['completed', 'cancelled', 'failed'];

/** Amount of content that a job reads; see docs/scraping.md. */
export const SCRAPE_MODES = ['full', 'history', 'monitor'] as const;
export type ScrapeMode = (typeof SCRAPE_MODES)[number];

/** SQL for `progress` without the keys of {@link JobProgress} that apply only while the job runs. */
export const LASTING_PROGRESS = `(progress - '{${RUNNING_PROGRESS.join(',')}}'::text[])`;

/** SQL for the counters in `progress` once the job has ended, whether or not a batch was stored. */
export const FINAL_COUNTS = `jsonb_build_object('posts', posts_scraped, 'comments', comments_scraped, 'media', media_downloaded)`;

/** A scrape job: its target, its state, and its counters. */
@Entity('jobs')
@Check('jobs_status_check', "status IN ('pending', 'running', 'completed', 'cancelled', 'failed')")
@Index('jobs_newest', ['workspaceId', 'createdAt', 'id'])
@Index('jobs_newest_by_status', ['workspaceId', 'status', 'createdAt', 'id'])
@Index('jobs_waiting_small', { synchronize: false })
@Index('jobs_waiting_large', { synchronize: false })
@Index('jobs_by_target', { synchronize: false })
@Index('jobs_ended', { synchronize: false })
export class Job extends WorkspaceRecord {
  @Column('text')
  target: string;

  @Column('text')
  targetType: TargetType;

  @Column('text')
  mode: ScrapeMode;

  @Column('jsonb', { default: {} })
  config: Record<string, unknown>;

  /** Maximum number of posts to scrape. */
  @Column('integer')
  postLimit: number;

  @Column('boolean')
  downloadMedia: boolean;

  @Column('boolean')
  scrapeComments: boolean;

  @Column('text', { array: true, default: [] })
  plugins: string[];

  @Column('uuid', { nullable: true })
  scheduleId: string | null;

  @Column('text', { default: 'pending' })
  status: JobStatus;

  @Column('timestamptz', { nullable: true })
  startedAt: Date | null;

  @Column('timestamptz', { nullable: true })
  completedAt: Date | null;

  @Column('integer', { default: 0 })
  postsScraped: number;

  @Column('integer', { default: 0 })
  commentsScraped: number;

  @Column('integer', { default: 0 })
  mediaDownloaded: number;

  @Column('text', { nullable: true })
  errorCode: string | null;

  @Column('text', { nullable: true })
  errorMessage: string | null;

  @Column('jsonb', { default: {} })
  progress: JobProgress;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  createdAt: Date;
}

/** The fields of a job that no execution has started. */
export function unstarted() {
  return {
    status: 'pending' as const,
    startedAt: null,
    completedAt: null,
    postsScraped: 0,
    commentsScraped: 0,
    mediaDownloaded: 0,
    errorCode: null,
    errorMessage: null,
    progress: {},
  };
}
