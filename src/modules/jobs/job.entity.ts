import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { TargetType } from '../../platforms/platform.js';

/** States of a job; see {@link FINAL_JOB_STATUSES}. */
export const JOB_STATUSES = ['pending', 'running', 'completed', 'cancelled', 'failed'] as const;
/** One of {@link JOB_STATUSES}. */
export type JobStatus = (typeof JOB_STATUSES)[number];

/** The final states; only a retry by an operator leaves them. */
export const FINAL_JOB_STATUSES: readonly JobStatus[] = ['completed', 'cancelled', 'failed'];

/** What a job reads; see docs/scraping.md. */
export const SCRAPE_MODES = ['full', 'history', 'monitor'] as const;
/** One of {@link SCRAPE_MODES}. */
export type ScrapeMode = (typeof SCRAPE_MODES)[number];

/** Why a scrape stopped listing posts. */
export const STOP_REASONS = ['limit', 'end_of_listing', 'listing_cap', 'up_to_date'] as const;
/** One of {@link STOP_REASONS}. */
export type StopReason = (typeof STOP_REASONS)[number];

/** What a job can wait for. */
export type WaitReason = 'budget' | 'retry' | 'worker' | 'turn';

/** What a job waits for. */
export interface WaitingFor {
  reason: WaitReason;
  /** ISO 8601 time at which the wait is expected to end; null when unknown. */
  until: string | null;
  /** One sentence for users. */
  cause: string;
  /** Position in the workspace's own order, from 1; only for `turn`. */
  position?: number;
}

/** SQL for `progress` without the keys of {@link JobProgress} that apply only while the job runs. */
export const LASTING_PROGRESS = `(progress - '{waiting_for,comments_pending,media_pending,media_until}'::text[])`;

/** SQL for the counters in `progress` once the job has ended, whether or not a batch was stored. */
export const FINAL_COUNTS = `jsonb_build_object('posts', posts_scraped, 'comments', comments_scraped, 'media', media_downloaded)`;

/** Progress of a job. Empty on creation. */
export interface JobProgress {
  posts?: number;
  comments?: number;
  media?: number;
  /** Source of the posts, as in `GET /sources`; `archive` when they come from Reddit's archive only. */
  source?: string;
  /** Requests sent to the platform, including retries. */
  requests?: number;
  /** Comments that the platform listed but did not deliver. */
  comments_missing?: number;
  /** Media files that could not be downloaded. */
  media_failed?: number;
  /** Reason for the latest of these failures. */
  media_failed_reason?: string;
  /** Present once the job has been waiting for at least a second. */
  waiting_for?: WaitingFor;
  /** Number of posts whose comments still have to be read. */
  comments_pending?: number;
  /** Number of media files that still have to be downloaded. */
  media_pending?: number;
  /** ISO 8601 time after which missing media count as failed; present when nothing else is left to do. */
  media_until?: string;
  stop_reason?: StopReason;
  /** Plugins that failed on a batch, each with its number of failures and the last message. */
  plugin_errors?: { plugin: string; count: number; message: string }[];
}

/** A scrape job: what to scrape, its state, and what it has stored so far. */
@Entity('jobs')
@Check('jobs_status_check', "status IN ('pending', 'running', 'completed', 'cancelled', 'failed')")
@Index('jobs_newest', ['workspaceId', 'createdAt', 'id'])
@Index('jobs_newest_by_status', ['workspaceId', 'status', 'createdAt', 'id'])
@Index('jobs_waiting_small', { synchronize: false })
@Index('jobs_waiting_large', { synchronize: false })
@Index('jobs_by_target', { synchronize: false })
@Index('jobs_ended', { synchronize: false })
export class Job {
  @PrimaryColumn('uuid')
  @ForeignKey('Workspace', { onDelete: 'CASCADE' })
  workspaceId: string;

  @PrimaryColumn('uuid')
  id: string;

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
