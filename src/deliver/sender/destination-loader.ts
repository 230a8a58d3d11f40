import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { SpanKind } from '@opentelemetry/api';
import type { Redis } from 'ioredis';
import { Clock } from '../../common/clock.js';
import { publicId } from '../../common/ids.js';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { OutboundHttpClient } from '../../infrastructure/outbound-http/outbound-http-client.js';
import { REDIS } from '../../infrastructure/queue/redis.js';
import { SecretUnreadableError } from '../../infrastructure/secrets/secret-box.js';
import { Tracing } from '../../infrastructure/tracing/tracing.js';
import type { Alert } from '../../alerts/alert/alert.entity.js';
import { AlertsRepository } from '../../alerts/alert/alerts.repository.js';
import { ChannelConfigs } from '../../alerts/alert/channel-configs.js';
import type { Report } from '../../alerts/reports/report.entity.js';
import { ReportsRepository } from '../../alerts/reports/reports.repository.js';
import type { EventPayload } from '../../messages/outbox/outbox.repository.js';
import type { Channel, DeliveryOutcome } from '../../messages/channels/channel.js';
import { CHANNELS } from '../../messages/channels/channels.js';
import { EMAIL } from '../../messages/channels/email-channel.js';
import { unsendable } from '../../messages/channels/post-json.js';
import type { Transport } from '../transports/transport.js';
import { TRANSPORTS, transportOf } from '../transports/transports.js';
import { WebhookSecrets } from '../webhooks/webhook-secrets.js';
import { WebhooksRepository } from '../webhooks/webhooks.repository.js';
import { type Destination, destinationKey } from '../queue/destination.js';
import { WEBHOOK_MEDIA_TYPES, webhookBody, type WebhookFormat } from '../webhooks/webhook-body.js';
import { DESTINATION_CONCURRENCY } from '../queue/send-limits.js';
import { MemberNotifier } from './member-notifier.js';
import { notificationOf } from './notification.js';
import type { LeasedDelivery } from '../queue/delivery-claims.repository.js';

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
  private readonly dashboard: string | undefined;
  private readonly channels: ReadonlyMap<string, Channel>;
  private readonly transports: ReadonlyMap<string, Transport>;
  private readonly loadByKind = {
    webhook: (webhook: Destination) => this.loadWebhook(webhook),
    alert: async ({ workspaceId, id }: Destination) =>
      this.loadChannel('alert', await this.alerts.find(workspaceId, id)),
    report: async ({ workspaceId, id }: Destination) =>
      this.loadChannel('report', await this.reports.find(workspaceId, id)),
    member: (member: Destination) => this.loadMember(member),
  };

  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly webhookSecrets: WebhookSecrets,
    private readonly alerts: AlertsRepository,
    private readonly reports: ReportsRepository,
    private readonly configs: ChannelConfigs,
    http: OutboundHttpClient,
    private readonly clock: Clock,
    private readonly tracing: Tracing,
    private readonly members: MemberNotifier,
    @Inject(REDIS) redis: Redis,
    @Inject(ENVIRONMENT) environment: Environment,
  ) {
    this.dashboard = environment.PUBLIC_URL;
    this.channels = new Map(
      CHANNELS.all.map(({ name, create }) => [name, create({ environment, http, redis, clock })]),
    );
    const limits = { timeoutMs: environment.WEBHOOK_TIMEOUT_MS, concurrency: DESTINATION_CONCURRENCY };
    this.transports = new Map(
      TRANSPORTS.all.map(({ name, create }) => [name, create({ http, clock, ...limits })]),
    );
  }

  onApplicationShutdown(): void {
    for (const one of [...this.channels.values(), ...this.transports.values()]) one.close?.();
  }

  /** Loads a destination. A destination that was deleted, or whose secrets are unreadable, refuses every delivery. */
  async load(destination: Destination): Promise<LoadedDestination> {
    try {
      const loaded = await this.loadByKind[destination.kind](destination);
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

  private async loadWebhook(destination: Destination): Promise<LoadedDestination> {
    const webhook = await this.webhooks.find(destination.workspaceId, destination.id);
    if (webhook === null) return refusing('The webhook was deleted');
    const url = this.webhookSecrets.urlOf(webhook);
    const secrets = this.webhookSecrets.current(webhook, this.clock.now());
    const transport = this.transports.get(transportOf(url).name)!;
    return {
      failingSince: webhook.failingSince,
      refuse: ({ event }) =>
        webhook.isActive || event.type === 'webhook.test' ? null : 'The webhook is inactive',
      send: (delivery, signal) =>
        transport.send({
          ...messageOf(delivery, webhook.format),
          destination: destinationKey(destination),
          url,
          secrets,
          mediaType: WEBHOOK_MEDIA_TYPES[webhook.format],
          type: delivery.event.type,
          signal,
        }),
    };
  }

  private loadChannel(kind: 'alert' | 'report', owner: Alert | Report | null): LoadedDestination {
    if (owner === null) return refusing(`The ${kind} was deleted`);
    const config = this.configs.open(owner);
    const refusal =
      owner.channelDisabledReason === null
        ? null
        : `The channel was disabled: ${owner.channelDisabledReason}`;
    const channel = this.channels.get(owner.channel);
    if (channel === undefined) return refusing(`The channel ${owner.channel} does not exist any more`);
    return {
      failingSince: owner.channelFailingSince,
      refuse: ({ event }) => (event.type === 'alert.test' ? null : refusal),
      send: (delivery, signal) =>
        channel.send(notificationOf(delivery, messageOf(delivery), this.dashboard), config, signal),
    };
  }

  /** A member's notifications are bounded by the retry schedule; the person may end each subscription. */
  private loadMember(member: Destination): LoadedDestination {
    const email = this.channels.get(EMAIL.name)!;
    return {
      failingSince: null,
      refuse: () => null,
      send: (delivery, signal) =>
        this.members.send(
          member,
          notificationOf(delivery, messageOf(delivery), this.dashboard),
          email,
          signal,
        ),
    };
  }
}

const refusing = (reason: string): LoadedDestination => ({
  failingSince: null,
  refuse: () => reason,
  send: () => Promise.resolve(unsendable(reason)),
});

/** The event as webhooks receive it, and the id of its delivery. */
function messageOf(
  { destination, deliveryId, event }: ClaimedDelivery,
  format?: WebhookFormat,
): { id: string; body: string } {
  return { id: publicId('delivery', deliveryId), body: webhookBody(destination.workspaceId, event, format) };
}
