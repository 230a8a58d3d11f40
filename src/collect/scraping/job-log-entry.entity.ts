import { Column, Entity, PrimaryColumn } from 'typeorm';
import { WorkspaceRow } from '../../database/workspace-row.js';

/** Severity of an entry in a job's log. */
export const LOG_LEVELS = ['info', 'warn'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** An event during the execution of a job. Removed with the job. */
@Entity('job_log')
export class JobLogEntry extends WorkspaceRow {
  @PrimaryColumn('uuid')
  jobId: string;

  /** Position in the job's log, from 1. */
  @PrimaryColumn('integer')
  seq: number;

  @Column('timestamptz')
  at: Date;

  @Column('text')
  level: LogLevel;

  /** Stable name of the event. */
  @Column('text')
  event: string;

  /** One sentence for users. */
  @Column('text')
  message: string;

  @Column('jsonb', { default: {} })
  details: Record<string, unknown>;
}
