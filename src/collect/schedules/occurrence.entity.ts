import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

/** `cron` for a due time of the schedule, `manual` for a run requested through the API. */
export type OccurrenceTrigger = 'cron' | 'manual';

/** Why a due time created no job. */
export type SkipReason =
  'previous_job_unfinished' | 'paused_after_failures' | 'timing_unusable' | 'quota_exceeded';

/** One due time of a schedule and its result: the job it created, or the reason why it created none. */
@Entity('schedule_runs')
@Check('schedule_runs_trigger_check', "trigger IN ('cron', 'manual')")
@Check('schedule_runs_check', '(job_id IS NULL) <> (skip_reason IS NULL)')
@ForeignKey('Schedule', ['workspaceId', 'scheduleId'], ['workspaceId', 'id'], { onDelete: 'CASCADE' })
@Index('schedule_runs_by_age', ['recordedAt'])
export class Occurrence {
  @PrimaryColumn('uuid')
  workspaceId: string;

  @PrimaryColumn('uuid')
  scheduleId: string;

  @PrimaryColumn('timestamptz')
  dueAt: Date;

  @Column('text')
  trigger: OccurrenceTrigger;

  @Column('uuid', { nullable: true })
  jobId: string | null;

  @Column('text', { nullable: true })
  skipReason: SkipReason | null;

  /** Explains the skip to the operator in one sentence. */
  @Column('text', { nullable: true })
  detail: string | null;

  /** When a scheduler recorded the due time; later than `dueAt` if no scheduler was running then. */
  @Column('timestamptz')
  recordedAt: Date;
}
