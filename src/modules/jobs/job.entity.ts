import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TargetType } from '../../platforms/platform.js';

export const JOB_STATUSES = ['pending', 'running', 'completed', 'cancelled', 'failed'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export const SCRAPE_MODES = ['full', 'history', 'monitor'] as const;
export type ScrapeMode = (typeof SCRAPE_MODES)[number];

/** Which end a scrape reached. */
export const STOP_REASONS = ['limit', 'end_of_listing', 'listing_cap', 'up_to_date'] as const;
export type StopReason = (typeof STOP_REASONS)[number];

/** Empty on creation. */
export interface JobProgress {
  posts?: number;
  comments?: number;
  media?: number;
  /** Requests sent to the platform, retries included. */
  requests?: number;
  /** Comments that the platform listed but did not deliver. */
  comments_missing?: number;
  /** Media files that could not be had. */
  media_failed?: number;
  stop_reason?: StopReason;
  /** Plugins that failed on some batch, with the last failure's words. */
  plugin_errors?: { plugin: string; count: number; message: string }[];
}

@Entity('jobs')
export class Job {
  @PrimaryColumn('uuid')
  workspaceId: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  target: string;

  @Column('text')
  targetType: TargetType;

  @Column('text')
  mode: ScrapeMode;

  @Column('jsonb')
  config: Record<string, unknown>;

  /** Posts to scrape at most. */
  @Column('integer')
  postLimit: number;

  @Column('boolean')
  downloadMedia: boolean;

  @Column('boolean')
  scrapeComments: boolean;

  @Column('text', { array: true })
  plugins: string[];

  @Column('uuid', { nullable: true })
  scheduleId: string | null;

  @Column('text')
  status: JobStatus;

  @Column('timestamptz', { nullable: true })
  startedAt: Date | null;

  @Column('timestamptz', { nullable: true })
  completedAt: Date | null;

  @Column('integer')
  postsScraped: number;

  @Column('integer')
  commentsScraped: number;

  @Column('integer')
  mediaDownloaded: number;

  @Column('text', { nullable: true })
  errorCode: string | null;

  @Column('text', { nullable: true })
  errorMessage: string | null;

  @Column('jsonb')
  progress: JobProgress;

  /** Where the walk goes on after a crash; shaped and read by the scraping module alone. */
  @Column('jsonb', { nullable: true })
  checkpoint: unknown;

  /** The worker that may write to the job, until `leaseUntil`. */
  @Column('text', { nullable: true })
  leaseOwner: string | null;

  @Column('timestamptz', { nullable: true })
  leaseUntil: Date | null;

  /** Claims since the job last stored something. */
  @Column('integer')
  attempts: number;

  @Column('timestamptz')
  createdAt: Date;
}
