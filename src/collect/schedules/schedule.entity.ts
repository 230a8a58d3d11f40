import { Column, Entity, Index } from 'typeorm';
import { WorkspaceRecord } from '../../database/workspace-row.js';
import type { TargetType } from '../../platforms/platform.js';
import type { ScrapeMode } from '../jobs/job.entity.js';

/** `skip` records a due time without a job while the schedule's last job is pending or running; `queue` creates the job. */
export const OVERLAPS = ['skip', 'queue'] as const;
export type Overlap = (typeof OVERLAPS)[number];

/** The settings of a schedule as sent: known keys are validated, others are kept unchanged. */
export type ScheduleConfig = {
  limit?: number;
  download_media?: boolean;
  scrape_comments?: boolean;
  plugins?: string[];
  /** IANA name; UTC when absent. */
  timezone?: string;
  /** `skip` when absent. */
  overlap?: Overlap;
  /** 0 when absent. */
  jitter_seconds?: number;
} & Record<string, unknown>;

/** A recurring scrape job with a cron expression. */
@Entity('schedules')
@Index('schedules_by_age', ['workspaceId', 'createdAt', 'id'])
@Index('schedules_due', ['nextRunAt'], { where: 'is_active' })
export class Schedule extends WorkspaceRecord {
  @Column('text')
  target: string;

  @Column('text')
  targetType: TargetType;

  @Column('text')
  mode: ScrapeMode;

  @Column('jsonb', { default: {} })
  config: ScheduleConfig;

  @Column('text')
  cronExpression: string;

  @Column('boolean', { default: true })
  isActive: boolean;

  /** When the schedule last created a job. */
  @Column('timestamptz', { nullable: true })
  lastRunAt: Date | null;

  /** The next due time; while paused, the due time at which it stopped. */
  @Column('timestamptz')
  nextRunAt: Date;

  /** Number of jobs created. */
  @Column('integer', { default: 0 })
  runCount: number;

  @Column('uuid', { nullable: true })
  lastJobId: string | null;

  /** Failures before this time do not count towards pausing; set when the schedule is resumed. */
  @Column('timestamptz')
  resumedAt: Date;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  createdAt: Date;
}
