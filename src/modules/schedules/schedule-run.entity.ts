import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

export const RUN_TRIGGERS = ['cron', 'manual'] as const;
export type RunTrigger = (typeof RUN_TRIGGERS)[number];

/** Why a due time made no job. */
export const SKIP_REASONS = ['previous_job_unfinished', 'paused_after_failures', 'timing_unusable'] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

/** What became of one due time: a job, or the reason why there is none. */
@Entity('schedule_runs')
@Check('schedule_runs_trigger_check', "trigger IN ('cron', 'manual')")
@Check('schedule_runs_check', '(job_id IS NULL) <> (skip_reason IS NULL)')
@ForeignKey('Schedule', ['workspaceId', 'scheduleId'], ['workspaceId', 'id'], { onDelete: 'CASCADE' })
@Index('schedule_runs_by_age', ['recordedAt'])
export class ScheduleRun {
  @PrimaryColumn('uuid')
  workspaceId: string;

  @PrimaryColumn('uuid')
  scheduleId: string;

  @PrimaryColumn('timestamptz')
  dueAt: Date;

  @Column('text')
  trigger: RunTrigger;

  @Column('uuid', { nullable: true })
  jobId: string | null;

  @Column('text', { nullable: true })
  skipReason: SkipReason | null;

  /** A sentence for the operator that explains the skip. */
  @Column('text', { nullable: true })
  detail: string | null;

  /** When a scheduler got to it; later than `dueAt` when none was running. */
  @Column('timestamptz')
  recordedAt: Date;
}
