import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { OutboxEvent } from '../events/outbox-event.entity.js';

export const DESTINATION_KINDS = ['webhook', 'alert'] as const;
/** A registered webhook, or the channel of an alert. */
export type DestinationKind = (typeof DESTINATION_KINDS)[number];

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'undeliverable'] as const;
/** `failed`: every attempt failed. `undeliverable`: there is nothing it could be sent to. */
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

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

  /** When it is due; while a sender holds it, when its lease ends. Null unless pending. */
  @Column('timestamptz', { nullable: true })
  nextAttemptAt: Date | null;

  /** The sender that holds it. */
  @Column('uuid', { nullable: true })
  leaseOwner: string | null;

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
