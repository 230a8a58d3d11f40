import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { publicId } from '../../common/ids.js';
import { ENVIRONMENT, type Environment } from '../../config/environment.js';
import { OutboundHttpClient } from '../../infrastructure/outbound-http/outbound-http-client.js';
import { SecretUnreadableError } from '../../infrastructure/secrets/secret-box.js';
import { signingHeaders } from '../../infrastructure/signing/signing.js';
import { AlertsRepository } from '../alerts/alerts.repository.js';
import { ChannelConfigs } from '../alerts/channel-configs.js';
import { TEST_EVENT_TYPE } from '../events/outbox-event.entity.js';
import type { Channel, DeliveryOutcome } from '../notifications/channel.js';
import { ChatChannel } from '../notifications/chat-channel.js';
import { EmailChannel } from '../notifications/email-channel.js';
import { postJson } from '../notifications/post-outcome.js';
import { WebhookSecrets } from '../webhooks/webhook-secrets.js';
import { WebhooksRepository } from '../webhooks/webhooks.repository.js';
import type { ClaimedDelivery } from './delivery-claims.repository.js';
import type { Destination } from './destination.js';
import { notificationOf, payloadOf } from './payload.js';

/** A destination as it is now. */
export interface ResolvedDestination {
  failingSince: Date | null;
  /** Why a delivery is not to be sent; null when it is. */
  refuse(delivery: ClaimedDelivery): string | null;
  /** Never throws. */
  send(delivery: ClaimedDelivery, signal: AbortSignal): Promise<DeliveryOutcome>;
}

/** Loads where deliveries go, fresh from Postgres: the queue carries no address and no secret. */
@Injectable()
export class Destinations implements OnApplicationShutdown {
  private readonly timeoutMs: number;
  private readonly chats: Record<'chat_a' | 'chat_b', Channel>;
  private readonly email: EmailChannel | null;

  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly webhookSecrets: WebhookSecrets,
    private readonly alerts: AlertsRepository,
    private readonly configs: ChannelConfigs,
    private readonly http: OutboundHttpClient,
    private readonly clock: Clock,
    @Inject(ENVIRONMENT) environment: Environment,
  ) {
    const { WEBHOOK_TIMEOUT_MS: timeoutMs, SMTP_URL, MAIL_FROM, ALERT_EMAIL_TO } = environment;
    this.timeoutMs = timeoutMs;
    this.chats = {
      chat_a: new ChatChannel('chat_a', http, timeoutMs),
      chat_b: new ChatChannel('chat_b', http, timeoutMs),
    };
    this.email =
      SMTP_URL === undefined
        ? null
        : new EmailChannel({
            smtpUrl: SMTP_URL,
            from: MAIL_FROM!,
            timeoutMs,
            ...(ALERT_EMAIL_TO !== undefined && { defaultTo: ALERT_EMAIL_TO }),
          });
  }

  onApplicationShutdown(): void {
    this.email?.close();
  }

  async load(destination: Destination): Promise<ResolvedDestination> {
    try {
      return destination.kind === 'webhook'
        ? await this.loadWebhook(destination)
        : await this.loadAlert(destination);
    } catch (error) {
      if (error instanceof SecretUnreadableError) return nowhere(error.message);
      throw error;
    }
  }

  private async loadWebhook({ workspaceId, id }: Destination): Promise<ResolvedDestination> {
    const webhook = await this.webhooks.find(workspaceId, id);
    if (webhook === null) return nowhere('The webhook was deleted');
    const secrets = this.webhookSecrets.current(webhook, this.clock.now());
    return {
      failingSince: webhook.failingSince,
      refuse: ({ event }) =>
        webhook.isActive || event.type === TEST_EVENT_TYPE ? null : 'The webhook is switched off',
      send: (delivery, signal) => this.post(webhook.url, secrets, delivery, signal),
    };
  }

  private async loadAlert({ workspaceId, id }: Destination): Promise<ResolvedDestination> {
    const alert = await this.alerts.find(workspaceId, id);
    if (alert === null) return nowhere('The alert was deleted');
    const config = this.configs.open(alert);
    const refusal =
      alert.channelDisabledReason === null
        ? null
        : `The channel was switched off: ${alert.channelDisabledReason}`;
    const to = (channel: Channel | null): ResolvedDestination['send'] =>
      channel === null
        ? () => Promise.resolve(NO_MAIL_SERVER)
        : (delivery, signal) => channel.send(notificationOf(delivery), config, signal);
    const secrets = config.secret == null ? [] : [config.secret];
    return {
      failingSince: alert.channelFailingSince,
      refuse: () => refusal,
      send:
        alert.channel === 'webhook'
          ? (delivery, signal) => this.post(config.webhook_url ?? '', secrets, delivery, signal)
          : to(alert.channel === 'email' ? this.email : this.chats[alert.channel]),
    };
  }

  private async post(
    url: string,
    secrets: readonly string[],
    delivery: ClaimedDelivery,
    signal: AbortSignal,
  ): Promise<DeliveryOutcome> {
    const body = payloadOf(delivery);
    const headers = signingHeaders(
      { id: publicId('delivery', delivery.deliveryId), timestamp: this.clock.now(), body },
      secrets,
    );
    const { outcome } = await postJson(this.http, { url, body, headers, timeoutMs: this.timeoutMs, signal });
    return outcome;
  }
}

const NO_MAIL_SERVER: DeliveryOutcome = {
  ok: false,
  responseCode: null,
  durationMs: 0,
  permanent: true,
  error: 'There is no mail server: set SMTP_URL',
};

const nowhere = (reason: string): ResolvedDestination => ({
  failingSince: null,
  refuse: () => reason,
  send: () => Promise.resolve({ ...NO_MAIL_SERVER, error: reason }),
});
