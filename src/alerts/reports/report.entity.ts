import { Column, Entity, Index } from 'typeorm';
import { WorkspaceRecord } from '../../database/workspace-row.js';
import type { ReportPeriod } from './report-content.dto.js';
import type { ReportPlan } from './report-period.js';

/** A report on alerts and saved searches, sent through a channel once a period. */
@Entity('reports')
@Index('reports_due', ['dueAt'])
export class Report extends WorkspaceRecord {
  @Column('text')
  name: string;

  /** In the order in which they were sent; some may have been deleted. */
  @Column('uuid', { array: true })
  alertIds: string[];

  /** Like `alertIds`. */
  @Column('uuid', { array: true })
  searchIds: string[];

  @Column('text')
  every: ReportPeriod;

  @Column('text')
  at: string;

  @Column('text')
  weekday: ReportPlan['weekday'];

  @Column('text')
  timezone: string;

  /** Name of a channel, as in `CHANNELS`. */
  @Column('text')
  channel: string;

  /** The configuration as encrypted JSON, because addresses of chat services are secrets themselves. */
  @Column('text')
  sealedChannelConfig: string;

  /** Start of the channel's uninterrupted failures; null when its last attempt succeeded. */
  @Column('timestamptz', { nullable: true })
  channelFailingSince: Date | null;

  /** Why the channel is switched off; null while it is in use. */
  @Column('text', { nullable: true })
  channelDisabledReason: string | null;

  /** When it is sent next. */
  @Column('timestamptz')
  dueAt: Date;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  createdAt: Date;
}
