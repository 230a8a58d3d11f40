import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What webhooks can subscribe to. */
export const EVENT_TYPES = ['job.completed', 'job.failed', 'alert.triggered'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Sent to one webhook on its owner's request; nobody subscribes to it. */
export const TEST_EVENT_TYPE = 'webhook.test';

@Entity('outbox_events')
export class OutboxEvent {
  @PrimaryColumn('uuid')
  workspaceId: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  type: EventType | typeof TEST_EVENT_TYPE;

  /** Names what happened, once: a repeated batch appends nothing. */
  @Column('text')
  uniqueKey: string;

  /** What subscribers are told under `data`. */
  @Column('jsonb')
  data: Record<string, unknown>;

  @Column('timestamptz')
  createdAt: Date;

  @Column('timestamptz', { nullable: true })
  relayedAt: Date | null;
}
