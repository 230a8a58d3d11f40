import { type AnyEventType, SUBJECT_KINDS, type SubjectKind } from './event-types.js';
import { Check, Column, Entity, Index, Unique } from 'typeorm';
import { WorkspaceRecord } from '../../database/workspace-row.js';

/** An event that a transaction appended; the relay turns it into deliveries. */
@Entity('outbox_events')
@Unique(['workspaceId', 'uniqueKey'])
@Check(
  'outbox_events_subject_kind_check',
  `subject_kind IN (${SUBJECT_KINDS.map((kind) => `'${kind}'`).join(', ')})`,
)
@Index('outbox_events_waiting', ['workspaceId', 'createdAt'], {
  where: 'relayed_at IS NULL AND set_aside_at IS NULL',
})
@Index('outbox_events_set_aside', ['setAsideAt'], { where: 'set_aside_at IS NOT NULL' })
@Index('outbox_events_relayed', ['relayedAt'], { where: 'relayed_at IS NOT NULL' })
export class OutboxEvent extends WorkspaceRecord {
  @Column('text')
  type: AnyEventType;

  @Column('text')
  subjectKind: SubjectKind;

  /** Id of the subject, without its prefix. */
  @Column('uuid')
  subjectId: string;

  /** Identifies the occurrence: appending the same key twice has no effect. */
  @Column('text')
  uniqueKey: string;

  /** The payload, which receivers get under `data`. */
  @Column('jsonb')
  data: Record<string, unknown>;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt: Date;

  /** When all deliveries of the event had been added; null until then. */
  @Column('timestamptz', { nullable: true })
  relayedAt: Date | null;

  /** Last webhook, in id order, that an incomplete fan-out has reached. */
  @Column('uuid', { nullable: true })
  fanOutAfter: string | null;

  /** Number of failed attempts to relay this event by itself. */
  @Column('integer', { default: 0 })
  relayFailures: number;

  /** Earliest time of the next relay attempt; null for at once. */
  @Column('timestamptz', { nullable: true })
  relayNotBefore: Date | null;

  /** When the event was set aside because relaying it kept failing; null otherwise. */
  @Column('timestamptz', { nullable: true })
  setAsideAt: Date | null;
}
