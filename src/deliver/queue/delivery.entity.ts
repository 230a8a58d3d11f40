import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import type { OutboxEvent } from '../../messages/outbox/outbox-event.entity.js';

/** The kinds of destinations. */
export type DestinationKind = 'webhook' | 'alert' | 'member' | 'report';

/** The states of a delivery. All but `pending` are final until a redelivery is requested. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'undeliverable'] as const;
/** `failed`: all attempts failed. `undeliverable`: it cannot be sent, for example because the webhook is disabled. */
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Number of attempts kept in a delivery's history; older ones are dropped. */
export const MAX_HISTORY = 100;

/** One entry of a delivery's history. */
export interface DeliveryAttempt {
  /** Start of the attempt, ISO 8601. */
  at: string;
  succeeded: boolean;
  responseCode: number | null;
  durationMs: number;
  /** Never contains anything that the receiver sent. */
  error: string | null;
}

/** The delivery of one event to one destination. */
@Entity('deliveries')
@Index('deliveries_newest', ['workspaceId', 'destinationKind', 'destinationId', 'createdAt', 'id'])
@Index('deliveries_due', ['workspaceId', 'destinationKind', 'destinationId', 'nextAttemptAt'], {
  where: "status = 'pending'",
})
@Unique('deliveries_workspace_id_event_id_destination_kind_destinati_key', [
  'workspaceId',
  'eventId',
  'destinationKind',
  'destinationId',
])
@Check('deliveries_destination_kind_check', "destination_kind IN ('webhook', 'alert', 'member', 'report')")
@Check('deliveries_status_check', "status IN ('pending', 'delivered', 'failed', 'undeliverable')")
@Check('deliveries_check', "(status = 'pending') = (next_attempt_at IS NOT NULL)")
@ForeignKey('OutboxEvent', ['workspaceId', 'eventId'], ['workspaceId', 'id'], { onDelete: 'CASCADE' })
export class Delivery {
  @PrimaryColumn('uuid')
  workspaceId: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid')
  eventId: string;

  @Column('text')
  eventType: OutboxEvent['type'];

  @Column('text')
  destinationKind: DestinationKind;

  @Column('uuid')
  destinationId: string;

  @Column('text', { default: 'pending' })
  status: DeliveryStatus;

  @Column('integer', { default: 0 })
  attempts: number;

  /** Attempts in the current round of the retry schedule; a redelivery starts a new round. */
  @Column('integer', { default: 0 })
  schedulePosition: number;

  /** When the next attempt is due; null unless pending. */
  @Column('timestamptz', { nullable: true })
  nextAttemptAt: Date | null;

  /** The sender that owns the lease; null without a lease. */
  @Column('uuid', { nullable: true })
  leaseOwner: string | null;

  /** When the lease expires; afterwards another sender may claim the delivery. */
  @Column('timestamptz', { nullable: true })
  leasedUntil: Date | null;

  /** Of several recipients, those that no attempt has reached; null for all of them, or when none is left. */
  @Column('text', { array: true, nullable: true })
  remaining: string[] | null;

  /** The newest attempts, oldest first. Not selected by default because of its size. */
  @Column('jsonb', { select: false, default: [] })
  history: DeliveryAttempt[];

  /** HTTP or SMTP status of the last attempt. */
  @Column('integer', { nullable: true })
  responseCode: number | null;

  @Column('integer', { nullable: true })
  durationMs: number | null;

  @Column('text', { nullable: true })
  error: string | null;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  createdAt: Date;

  @Column('timestamptz', { nullable: true })
  completedAt: Date | null;
}
