import { Column, Entity, Index } from 'typeorm';
import { WorkspaceRecord } from '../../../database/workspace-row.js';
import type { ReportPlan } from '../../../alerts/reports/report-period.js';
import type { ExportChoices, ExportJob } from '../export-job.entity.js';

/** A completed run, after which the next one can continue. */
export type RunBase = Pick<ExportJob, 'id' | 'horizon' | 'databaseId'>;

/** The last run that a worker ended, with the time in ISO 8601. */
export interface LastRun extends Pick<ExportJob, 'id' | 'status' | 'errorMessage'> {
  completedAt: string;
}

/** An export that is made each day, week or month. */
@Entity('recurring_exports')
@Index('recurring_exports_due', ['dueAt'], { where: 'is_active' })
export class RecurringExport extends WorkspaceRecord {
  /** Of every run, too. */
  @Column('text')
  name: string;

  @Column('jsonb')
  choices: ExportChoices;

  /** Whether each run has only the rows that are new or changed since the one before. */
  @Column('boolean')
  onlyChanges: boolean;

  /** The folder of a bucket to which the files are copied; null for none. It has an access key, but no secret. */
  @Column('text', { nullable: true })
  destinationUrl: string | null;

  /** The secret access key of the destination, encrypted. */
  @Column('text', { nullable: true })
  sealedSecret: string | null;

  @Column('text')
  every: ReportPlan['every'];

  @Column('text')
  at: string;

  @Column('text')
  weekday: ReportPlan['weekday'];

  @Column('text')
  timezone: string;

  /** False while it is paused. */
  @Column('boolean', { default: true })
  isActive: boolean;

  /** When the next run is created; in the past while a run before it is unfinished. */
  @Column('timestamptz')
  dueAt: Date;

  /** The last completed run; null before the first, and after an erasure removed its files. */
  @Column('jsonb', { nullable: true })
  base: RunBase | null;

  @Column('jsonb', { nullable: true })
  lastRun: LastRun | null;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  createdAt: Date;
}
