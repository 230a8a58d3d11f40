import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EventType, TEST_EVENT_TYPE } from '../../common/event-types.js';

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
  leasedUntil: Date | null;

  @Column('timestamptz', { nullable: true })
  relayedAt: Date | null;
}
