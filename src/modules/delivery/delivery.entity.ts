import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { OutboxEvent } from '../events/outbox-event.entity.js';

export const DESTINATION_KINDS = ['webhook', 'alert'] as const;
/** A registered webhook, or the channel of an alert. */
export type DestinationKind = (typeof DESTINATION_KINDS)[number];

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'undeliverable'] as const;
/** `failed`: every attempt failed. `undeliverable`: there is nothing it could be sent to. */
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** How many attempts a delivery remembers; older ones give way. */
export const MAX_HISTORY = 100;

export interface DeliveryAttempt {
  /** ISO 8601; when it began. */
  at: string;
  succeeded: boolean;
  responseCode: number | null;
  durationMs: number;
  /** Holds nothing that the receiver sent. */
  error: string | null;
}

/** One event on its way to one destination. */
@Entity('deliveries')
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

  @Column('text')
  status: DeliveryStatus;

  @Column('integer')
  attempts: number;

  /** Attempts of the present round; asking for a redelivery begins a new one. */
  @Column('integer')
  schedulePosition: number;

  /** When it is due. Null unless pending. */
  @Column('timestamptz', { nullable: true })
  nextAttemptAt: Date | null;

  /** The sender that holds it. */
  @Column('uuid', { nullable: true })
  leaseOwner: string | null;

  /** Whoever finds it due after that may take it. */
  @Column('timestamptz', { nullable: true })
  leasedUntil: Date | null;

  /** Its newest attempts, the newest last. Read only where it is asked for. */
  @Column('jsonb', { select: false })
  history: DeliveryAttempt[];

  /** Of the last attempt, like duration and error. */
  @Column('integer', { nullable: true })
  responseCode: number | null;

  @Column('integer', { nullable: true })
  durationMs: number | null;

  @Column('text', { nullable: true })
  error: string | null;

  @Column('timestamptz')
  createdAt: Date;

  @Column('timestamptz', { nullable: true })
  completedAt: Date | null;
}
