import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { SpanKind } from '@opentelemetry/api';
import type { Redis } from 'ioredis';
import { Clock } from '../../../common/clock.js';
import { publicId } from '../../../common/ids.js';
import { ENVIRONMENT, type Environment } from '../../../config/environment.js';
import { OutboundHttpClient } from '../../../infrastructure/outbound-http/outbound-http-client.js';
import { REDIS } from '../../../infrastructure/queue/redis.module.js';
import { SecretUnreadableError } from '../../../infrastructure/secrets/secret-box.js';
import { signingHeaders } from '../../../infrastructure/signing/signing.js';
import { Tracing } from '../../../infrastructure/tracing/tracing.js';
import { AlertsRepository } from '../../alerts/alerts.repository.js';
import { ChannelConfigs } from '../../alerts/channel-configs.js';
import type { AlertTriggeredData } from '../../alerts/triggering.js';
import { TEST_EVENT_TYPES } from '../../events/outbox-event.entity.js';
import type { EventPayload } from '../../events/outbox.repository.js';
import type { AlertNotification, Channel, DeliveryOutcome } from '../../notifications/channel.js';
import { CHAT_CHANNELS, ChatChannel } from '../../notifications/chat-channel.js';
import { EmailChannel } from '../../notifications/email-channel.js';
import { MailLimits } from '../../notifications/mail-limits.js';
import { postJson, unsendable } from '../../notifications/post-json.js';
import { WebhookSecrets } from '../../webhooks/webhook-secrets.js';
import { WebhooksRepository } from '../../webhooks/webhooks.repository.js';
import type { Destination } from '../destination.js';
import { webhookBody } from '../webhook-body.js';
import type { LeasedDelivery } from './delivery-claims.repository.js';

/** A leased delivery with its event. */
export interface ClaimedDelivery extends LeasedDelivery {
  event: EventPayload;
}

/** A destination with its settings at the time of loading. */
export interface LoadedDestination {
  /** Start of its uninterrupted failures; null when the last attempt succeeded. */
  failingSince: Date | null;
  /** Why a delivery must not be sent; null when it may be sent. */
  refuse(delivery: ClaimedDelivery): string | null;
  /** Sends one delivery. Never throws: every failure is returned as an outcome. */
  send(delivery: ClaimedDelivery, signal: AbortSignal): Promise<DeliveryOutcome>;
}

/** Loads destinations with their addresses and secrets from Postgres. */
@Injectable()
export class DestinationLoader implements OnApplicationShutdown {
  private readonly timeoutMs: number;
  private readonly chats: ReadonlyMap<string, Channel>;
  private readonly email: EmailChannel | null;

  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly webhookSecrets: WebhookSecrets,
    private readonly alerts: AlertsRepository,
    private readonly configs: ChannelConfigs,
    private readonly http: OutboundHttpClient,
    private readonly clock: Clock,
    private readonly tracing: Tracing,
    @Inject(REDIS) redis: Redis,
    @Inject(ENVIRONMENT) environment: Environment,
  ) {
    const { WEBHOOK_TIMEOUT_MS: timeoutMs, SMTP_URL, MAIL_FROM, ALERT_EMAIL_TO } = environment;
    this.timeoutMs = timeoutMs;
    this.chats = new Map(CHAT_CHANNELS.map((name) => [name, new ChatChannel(name, http, timeoutMs)]));
    this.email =
      SMTP_URL === undefined
        ? null
        : new EmailChannel({
            smtpUrl: SMTP_URL,
            from: MAIL_FROM!,
            timeoutMs,
            limits: MailLimits.shared(environment.ALERT_EMAIL_ALLOWED, redis),
            ...(ALERT_EMAIL_TO !== undefined && { defaultTo: ALERT_EMAIL_TO }),
          });
  }

  onApplicationShutdown(): void {
    this.email?.close();
  }

  /** Loads a destination. A destination that was deleted, or whose secrets are unreadable, refuses every delivery. */
  async load(destination: Destination): Promise<LoadedDestination> {
    try {
      const loaded =
        destination.kind === 'webhook'
          ? await this.loadWebhook(destination)
          : await this.loadAlert(destination);
      return {
        ...loaded,
        send: (delivery, signal) => this.traced(delivery, () => loaded.send(delivery, signal)),
      };
    } catch (error) {
      if (error instanceof SecretUnreadableError) return refusing(error.message);
      throw error;
    }
  }

  private traced(
    { destination, deliveryId, event, attempts }: ClaimedDelivery,
    send: () => Promise<DeliveryOutcome>,
  ): Promise<DeliveryOutcome> {
    return this.tracing.record(
      'delivery attempt',
      {
        kind: SpanKind.CLIENT,
        attributes: {
          'wss.workspace_id': destination.workspaceId,
          'wss.delivery_id': deliveryId,
          'wss.destination_kind': destination.kind,
          'wss.destination_id': destination.id,
          'wss.event_type': event.type,
          'wss.attempt': attempts + 1,
        },
        attributesOf: ({ ok, responseCode }) => ({
          'wss.outcome': ok ? 'delivered' : 'failed',
          ...(responseCode !== null && { 'wss.response_code': responseCode }),
        }),
      },
      send,
    );
  }

  private async loadWebhook({ workspaceId, id }: Destination): Promise<LoadedDestination> {
    const webhook = await this.webhooks.find(workspaceId, id);
    if (webhook === null) return refusing('The webhook was deleted');
    const url = this.webhookSecrets.urlOf(webhook);
    const secrets = this.webhookSecrets.current(webhook, this.clock.now());
    return {
      failingSince: webhook.failingSince,
      refuse: ({ event }) =>
        webhook.isActive || event.type === TEST_EVENT_TYPES.webhook ? null : 'The webhook is inactive',
      send: (delivery, signal) => this.postEvent(url, secrets, delivery, signal),
    };
  }

  private async loadAlert({ workspaceId, id }: Destination): Promise<LoadedDestination> {
    const alert = await this.alerts.find(workspaceId, id);
    if (alert === null) return refusing('The alert was deleted');
    const config = this.configs.open(alert);
    const refusal =
      alert.channelDisabledReason === null
        ? null
        : `The channel was disabled: ${alert.channelDisabledReason}`;
    const notify = (channel: Channel | null): LoadedDestination['send'] =>
      channel === null
        ? () => Promise.resolve(unsendable('No mail server is configured: set SMTP_URL'))
        : (delivery, signal) => channel.send(notificationOf(delivery), config, signal);
    const secrets = config.secret == null ? [] : [config.secret];
    return {
      failingSince: alert.channelFailingSince,
      refuse: ({ event }) => (event.type === TEST_EVENT_TYPES.alert ? null : refusal),
      send:
        alert.channel === 'webhook'
          ? (delivery, signal) => this.postEvent(config.webhook_url ?? '', secrets, delivery, signal)
          : notify(alert.channel === 'email' ? this.email : this.chats.get(alert.channel)!),
    };
  }

  private async postEvent(
    url: string,
    secrets: readonly string[],
    delivery: ClaimedDelivery,
    signal: AbortSignal,
  ): Promise<DeliveryOutcome> {
    const body = webhookBody(delivery.destination.workspaceId, delivery.event);
    const headers = signingHeaders(
      { id: publicId('delivery', delivery.deliveryId), timestamp: this.clock.now(), body },
      secrets,
    );
    const { outcome } = await postJson(this.http, { url, body, headers, timeoutMs: this.timeoutMs, signal });
    return outcome;
  }
}

const refusing = (reason: string): LoadedDestination => ({
  failingSince: null,
  refuse: () => reason,
  send: () => Promise.resolve(unsendable(reason)),
});

function notificationOf({ destination, event }: ClaimedDelivery): AlertNotification {
  // This service wrote the payload when the alert was triggered or tested.
  const data = JSON.parse(event.data) as AlertTriggeredData;
  return {
    workspaceId: destination.workspaceId,
    id: publicId('event', event.id),
    alertId: data.id,
    alertName: data.name,
    keywords: [...new Set(data.matched_posts.flatMap((post) => post.matched_keywords))],
    posts: data.matched_posts,
    totalPosts: data.matched_posts_total,
  };
}
