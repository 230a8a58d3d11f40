import { ArrayMinSize, IsArray, IsBoolean, IsIn, IsOptional, IsString, ValidateIf } from 'class-validator';
import { EachOnce } from '../../../http/parameters/query-transforms.js';
import { Length, MaxLength } from '../../../http/parameters/text-length.js';
import { EVENT_TYPES, type EventType } from '../../../messages/outbox/event-types.js';
import { publicId } from '../../../common/ids.js';
import { MAX_URL_LENGTH } from '../../../infrastructure/outbound-http/url-guard.js';
import { MAX_SECRET_LENGTH } from '../../../infrastructure/signing/signing.js';
import { WEBHOOK_FORMATS, type WebhookFormat } from '../webhook-body.js';
import type { Webhook } from '../webhook.entity.js';

const WEBHOOK_VIEWS = ['list', 'full'] as const;
export type WebhookView = (typeof WEBHOOK_VIEWS)[number];

export class ViewWebhooksDto {
  /** `full` adds `format` to the record. */
  @IsOptional()
  @IsIn(WEBHOOK_VIEWS)
  view?: WebhookView = 'list';
}

export class CreateWebhookDto {
  /** An http or https URL, or `s3://ACCESS_KEY_ID@HOST/BUCKET/FOLDER?region=REGION` for objects of NDJSON in a bucket, or `amqps://USER@HOST:PORT/VHOST?exchange=EXCHANGE&key=ROUTING_KEY` for messages to a broker of AMQP 0-9-1, or `nats+tls://USER@HOST:PORT/SUBJECT` for messages to a stream of a NATS server. Its IP address must be public or in a range that the operator allows. */
  @IsString()
  @MaxLength(MAX_URL_LENGTH)
  url: string;

  /** The event types to send. */
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @EachOnce()
  @IsIn(EVENT_TYPES, { each: true })
  events?: EventType[] = ['job.completed'];

  /** Signs requests (Standard Webhooks): base64 after the prefix `whsec_`, or any other text, used as UTF-8 bytes. Short secrets can be guessed: use 24 random bytes or more. For a bucket, its secret access key, and for a broker, the password of the user, which are required. Never shown again. */
  @IsOptional()
  @IsString()
  @Length(1, MAX_SECRET_LENGTH)
  secret?: string;

  /** Form of the bodies: `standard`, the service's own envelope, or `cloudevents`, CloudEvents 1.0 in structured mode. */
  @IsOptional()
  @IsIn(WEBHOOK_FORMATS)
  format?: WebhookFormat = 'standard';
}

export class UpdateWebhookDto {
  @IsOptional()
  @IsString()
  @MaxLength(MAX_URL_LENGTH)
  url?: string;

  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @EachOnce()
  @IsIn(EVENT_TYPES, { each: true })
  events?: EventType[];

  /** Enables or disables the webhook. Enabling it restarts the five days after which continuous failures disable it. */
  @IsOptional()
  @IsBoolean()
  is_active?: boolean;

  /** A new signing secret. The previous one also signs requests for 24 hours. `null` turns signing off immediately. For a bucket or a broker, the new one alone is used. */
  @ValidateIf((body: UpdateWebhookDto) => body.secret !== undefined && body.secret !== null)
  @IsString()
  @Length(1, MAX_SECRET_LENGTH)
  secret?: string | null;

  /** Form of the bodies, also of deliveries that are sent again. */
  @IsOptional()
  @IsIn(WEBHOOK_FORMATS)
  format?: WebhookFormat;
}

export class WebhookDto {
  id: string;
  /** For keys without the `write` scope only scheme and host, since the rest can contain a token. */
  url: string;
  events: EventType[];
  is_active: boolean;
  /** Time of the last attempt, successful or not. */
  last_triggered_at: Date | null;
  /** Failed attempts since the last success. */
  failure_count: number;
  created_at: Date;
  /** Only with `view=full`. */
  format?: WebhookFormat;

  static of(webhook: Webhook, { url, view }: { url: string; view: WebhookView }): WebhookDto {
    return {
      id: publicId('webhook', webhook.id),
      url,
      events: webhook.events,
      is_active: webhook.isActive,
      last_triggered_at: webhook.lastTriggeredAt,
      failure_count: webhook.failureCount,
      created_at: webhook.createdAt,
      ...(view === 'full' && { format: webhook.format }),
    };
  }
}
