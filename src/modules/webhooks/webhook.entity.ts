import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EventType } from '../events/outbox-event.entity.js';

@Entity('webhooks')
export class Webhook {
  @PrimaryColumn('uuid')
  workspaceId: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  url: string;

  @Column('text', { array: true })
  events: EventType[];

  @Column('text', { nullable: true })
  sealedSecret: string | null;

  /** Signs beside the new one until `previousSecretUntil`. */
  @Column('text', { nullable: true })
  sealedPreviousSecret: string | null;

  @Column('timestamptz', { nullable: true })
  previousSecretUntil: Date | null;

  @Column('boolean')
  isActive: boolean;

  /** Why the service switched the webhook off; null when its owner did, or when it is on. */
  @Column('text', { nullable: true })
  disabledReason: string | null;

  /** When something was last sent to it, received or not. */
  @Column('timestamptz', { nullable: true })
  lastTriggeredAt: Date | null;

  /** Failed attempts since the last success. */
  @Column('integer')
  failureCount: number;

  /** When its unbroken row of failures began. */
  @Column('timestamptz', { nullable: true })
  failingSince: Date | null;

  @Column('timestamptz')
  createdAt: Date;
}
