import { Column, Entity, Index } from 'typeorm';
import { WorkspaceRecord } from '../../database/workspace-row.js';
import type { DeliveryPlan } from './release-time.js';
import type { KnownStories } from './known-stories.js';
import type { SpikeSettings } from './spike-settings.js';
import type { AlertScope } from './alert-scope.js';

/** Keywords and a query whose new matches are sent through a channel. */
@Entity('alerts')
@Index('alerts_spike_due', ['spikeDueAt'], { where: 'spike_due_at IS NOT NULL' })
@Index('alerts_digest_due', ['digestDueAt'], { where: 'digest_due_at IS NOT NULL' })
export class Alert extends WorkspaceRecord {
  @Column('text')
  name: string;

  @Column('text', { array: true })
  keywords: string[];

  /** In the language of `q`; null for keywords alone. */
  @Column('text', { nullable: true })
  query: string | null;

  @Column('text', { default: 'posts' })
  of: AlertScope;

  /** Empty for every forum. */
  @Column('text', { array: true })
  forums: string[];

  /** Sources that are read for it, in their normal form; none by default. */
  @Column('text', { array: true, default: [] })
  listen: string[];

  /** Name of a channel, as in `CHANNELS`. */
  @Column('text')
  channel: string;

  /** The configuration as encrypted JSON, because addresses of chat services are secrets themselves. */
  @Column('text')
  sealedChannelConfig: string;

  @Column('boolean', { default: true })
  isActive: boolean;

  @Column('timestamptz', { nullable: true })
  lastTriggeredAt: Date | null;

  @Column('integer', { default: 0 })
  triggerCount: number;

  /** Start of the channel's uninterrupted failures; null when its last attempt succeeded. */
  @Column('timestamptz', { nullable: true })
  channelFailingSince: Date | null;

  /** Why the channel is switched off; null while it is in use. */
  @Column('text', { nullable: true })
  channelDisabledReason: string | null;

  /** The condition of an alert on spikes; null for other alerts. */
  @Column('jsonb', { nullable: true })
  spike: SpikeSettings | null;

  /** The stories that an alert on stories knows; null for other alerts. */
  @Column('jsonb', { nullable: true })
  story: KnownStories | null;

  /** When an alert on spikes or stories is read next; null for an alert on matches. */
  @Column('timestamptz', { nullable: true })
  spikeDueAt: Date | null;

  /** End of the last bucket of the series that was read; of an alert on stories, when it was created or changed. */
  @Column('timestamptz', { nullable: true })
  spikeReadUntil: Date | null;

  /** Whether matches of reposts are folded into the first match of their story. */
  @Column('boolean', { default: true })
  foldDuplicates: boolean;

  /** Matches below are not sent; null sends all. */
  @Column('real', { nullable: true })
  minRelevance: number | null;

  /** What a match is read a second time for, in plain words; null for nothing. */
  @Column('text', { nullable: true })
  question: string | null;

  /** When the channel is notified; null for at once. */
  @Column('jsonb', { nullable: true })
  delivery: DeliveryPlan | null;

  /** Time of the next digest; null if nothing waits. */
  @Column('timestamptz', { nullable: true })
  digestDueAt: Date | null;

  /** Start of the hour that `sentInHour` counts. */
  @Column('timestamptz', { nullable: true })
  sentHour: Date | null;

  /** Number of notifications in that hour. */
  @Column('integer', { default: 0 })
  sentInHour: number;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  createdAt: Date;
}
