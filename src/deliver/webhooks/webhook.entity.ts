import { Check, Column, Entity } from 'typeorm';
import { WorkspaceRecord } from '../../database/workspace-row.js';
import type { EventType } from '../../messages/outbox/event-types.js';
import type { WebhookFormat } from './webhook-body.js';

/** A user's URL that receives events. */
@Entity('webhooks')
@Check('webhooks_format_check', "format IN ('standard', 'cloudevents')")
export class Webhook extends WorkspaceRecord {
  /** The URL, encrypted, since it can contain a token. */
  @Column('text')
  sealedUrl: string;

  @Column('text', { array: true })
  events: EventType[];

  @Column('text', { default: 'standard' })
  format: WebhookFormat;

  @Column('text', { nullable: true })
  sealedSecret: string | null;

  /** The replaced secret, which keeps signing in addition to the new one until `previousSecretUntil`. */
  @Column('text', { nullable: true })
  sealedPreviousSecret: string | null;

  @Column('timestamptz', { nullable: true })
  previousSecretUntil: Date | null;

  @Column('boolean', { default: true })
  isActive: boolean;

  /** Why the service disabled the webhook; null when it is active or a user disabled it. */
  @Column('text', { nullable: true })
  disabledReason: string | null;

  /** Time of the last attempt, successful or not. */
  @Column('timestamptz', { nullable: true })
  lastTriggeredAt: Date | null;

  /** Failed attempts since the last success. */
  @Column('integer', { default: 0 })
  failureCount: number;

  /** When the current series of failures began; null when the last attempt succeeded. */
  @Column('timestamptz', { nullable: true })
  failingSince: Date | null;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  createdAt: Date;
}
