import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

/** The event types that webhooks can subscribe to. */
export const EVENT_TYPES = ['job.completed', 'job.failed', 'alert.triggered', 'export.completed'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** The kind of record that an event is about. */
export type SubjectKind = 'job' | 'alert' | 'webhook' | 'export';

/** Types of the events that are sent to one webhook or one alert's channel on request; they cannot be subscribed to. */
export const TEST_EVENT_TYPES = { webhook: 'webhook.test', alert: 'alert.test' } as const;
export type TestEventType = (typeof TEST_EVENT_TYPES)[keyof typeof TEST_EVENT_TYPES];

/** An event that a transaction appended and the relay turns into deliveries. */
@Entity('outbox_events')
@Unique(['workspaceId', 'uniqueKey'])
@Check('outbox_events_subject_kind_check', "subject_kind IN ('job', 'alert', 'webhook', 'export')")
@Index('outbox_events_waiting', ['workspaceId', 'createdAt'], {
  where: 'relayed_at IS NULL AND set_aside_at IS NULL',
})
@Index('outbox_events_set_aside', ['setAsideAt'], { where: 'set_aside_at IS NOT NULL' })
@Index('outbox_events_relayed', ['relayedAt'], { where: 'relayed_at IS NOT NULL' })
export class OutboxEvent {
  @PrimaryColumn('uuid')
  @ForeignKey('Workspace', { onDelete: 'CASCADE' })
  workspaceId: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  type: EventType | TestEventType;

  /** Null for events that were relayed before subjects were stored. */
  @Column('text', { nullable: true })
  subjectKind: SubjectKind | null;

  /** Id of the subject, without its prefix. */
  @Column('uuid', { nullable: true })
  subjectId: string | null;

  /** Identifies the occurrence: appending the same key again does nothing. */
  @Column('text')
  uniqueKey: string;

  /** The payload, sent to receivers under `data`. */
  @Column('jsonb')
  data: Record<string, unknown>;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;

  /** When every delivery of the event was added; null before. */
  @Column('timestamptz', { nullable: true })
  relayedAt: Date | null;

  /** Last webhook, in the order of ids, of a fan-out that is not complete. */
  @Column('uuid', { nullable: true })
  fanOutAfter: string | null;

  /** Failed attempts to relay this event on its own. */
  @Column('integer', { default: 0 })
  relayFailures: number;

  /** Earliest time of the next attempt to relay it; null without a failure. */
  @Column('timestamptz', { nullable: true })
  relayNotBefore: Date | null;

  /** When the event was set aside because relaying it kept failing; null otherwise. */
  @Column('timestamptz', { nullable: true })
  setAsideAt: Date | null;
}
