import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import type { EventType } from '../events/outbox-event.entity.js';

/** An address of a user that receives events. */
@Entity('webhooks')
export class Webhook {
  @PrimaryColumn('uuid')
  @ForeignKey('Workspace', { onDelete: 'CASCADE' })
  workspaceId: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  url: string;

  @Column('text', { array: true })
  events: EventType[];

  @Column('text', { nullable: true })
  sealedSecret: string | null;

  /** Replaced secret, which signs beside the new one until `previousSecretUntil`. */
  @Column('text', { nullable: true })
  sealedPreviousSecret: string | null;

  @Column('timestamptz', { nullable: true })
  previousSecretUntil: Date | null;

  @Column('boolean', { default: true })
  isActive: boolean;

  /** Why the service disabled the webhook; null when a user did, or when it is active. */
  @Column('text', { nullable: true })
  disabledReason: string | null;

  /** Time of the last attempt, successful or not. */
  @Column('timestamptz', { nullable: true })
  lastTriggeredAt: Date | null;

  /** Failed attempts since the last success. */
  @Column('integer', { default: 0 })
  failureCount: number;

  /** Start of its uninterrupted failures; null when the last attempt succeeded. */
  @Column('timestamptz', { nullable: true })
  failingSince: Date | null;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  createdAt: Date;
}
