import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';

/** How much an entry of a job's log matters. */
export const LOG_LEVELS = ['info', 'warn'] as const;
/** One of {@link LOG_LEVELS}. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Something that happened while a job was executed. Removed with the job. */
@Entity('job_log')
export class JobLogEntry {
  @PrimaryColumn('uuid')
  @ForeignKey('Workspace', { onDelete: 'CASCADE' })
  workspaceId: string;

  @PrimaryColumn('uuid')
  jobId: string;

  /** Place in the job's log, from 1. */
  @PrimaryColumn('integer')
  seq: number;

  @Column('timestamptz')
  at: Date;

  @Column('text')
  level: LogLevel;

  /** Stable name of what happened. */
  @Column('text')
  event: string;

  /** One sentence for users. */
  @Column('text')
  message: string;

  @Column('jsonb', { default: {} })
  details: Record<string, unknown>;
}
