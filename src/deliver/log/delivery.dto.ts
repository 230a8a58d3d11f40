import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { publicId } from '../../common/ids.js';
import { OffsetPageDto } from '../../http/pages/page.dto.js';
import type { OutboxEvent } from '../../messages/outbox/outbox-event.entity.js';
import {
  type Delivery,
  DELIVERY_STATUSES,
  type DeliveryAttempt,
  type DeliveryStatus,
} from '../queue/delivery.entity.js';

export class ListDeliveriesDto extends OffsetPageDto {
  @IsOptional()
  @IsIn(DELIVERY_STATUSES)
  status?: DeliveryStatus;
}

export class DeliveryDto {
  /** Also the `webhook-id` header of every attempt. */
  id: string;
  /** `id` of the event in the body. */
  event_id: string;
  event_type: OutboxEvent['type'];
  /** `failed`: every attempt failed. `undeliverable`: it could not be sent, for example because the webhook is inactive. */
  status: DeliveryStatus;
  /** Number of recorded attempts. */
  attempts: number;
  /** HTTP or SMTP status of the last attempt; null if there was no response. */
  response_code: number | null;
  /** Duration of the last attempt. */
  duration_ms: number | null;
  /** Why the last attempt failed. */
  error: string | null;
  /** When the next attempt is due; null when there is none, and during an attempt. */
  next_attempt_at: Date | null;
  created_at: Date;
  completed_at: Date | null;

  static from(delivery: Delivery): DeliveryDto {
    return {
      id: publicId('delivery', delivery.id),
      event_id: publicId('event', delivery.eventId),
      event_type: delivery.eventType,
      status: delivery.status,
      attempts: delivery.attempts,
      response_code: delivery.responseCode,
      duration_ms: delivery.durationMs,
      error: delivery.error,
      next_attempt_at: delivery.leaseOwner === null ? delivery.nextAttemptAt : null,
      created_at: delivery.createdAt,
      completed_at: delivery.completedAt,
    };
  }
}

export class DeliveryPageDto {
  /** Newest first. */
  deliveries: DeliveryDto[];
  total: number;
  has_more: boolean;
}

export class DeliveryAttemptDto {
  attempt: number;
  attempted_at: Date;
  succeeded: boolean;
  response_code: number | null;
  duration_ms: number;
  error: string | null;

  static from(attempt: DeliveryAttempt, number: number): DeliveryAttemptDto {
    return {
      attempt: number,
      attempted_at: new Date(attempt.at),
      succeeded: attempt.succeeded,
      response_code: attempt.responseCode,
      duration_ms: attempt.durationMs,
      error: attempt.error,
    };
  }
}

export class DeliveryHistoryDto extends DeliveryDto {
  /** The event, as in the body of a webhook request. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  payload: Record<string, unknown>;
  /** The newest hundred attempts, oldest first. */
  history: DeliveryAttemptDto[];
}
