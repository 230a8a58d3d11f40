import type { OutboundHttpClient } from '../../infrastructure/outbound-http/outbound-http-client.js';
import type { AlertNotification, Channel, ChannelDefinition, DeliveryOutcome } from './channel.js';
import type { ChannelConfig } from './channel-config.js';
import { ADDRESS, type ChannelField } from './channel-settings.js';
import type { ChatFormat } from './chat-format.js';
import { postJson, unsendable } from './post-json.js';

/** Statuses after which a retry would fail too: the message is not accepted, or the chat does not exist. */
const PERMANENT = new Set([400, 401, 403, 404, 413]);

/** A channel that posts to a chat, and the format that it uses for an address. */
export interface ChatDefinition extends ChannelDefinition {
  formatOf: (url: URL) => ChatFormat;
}

/** The definition of a channel that posts to a chat's incoming webhook. */
export function chatChannel(
  name: string,
  title: string,
  formatOf: (url: URL) => ChatFormat,
  fields: readonly ChannelField[] = [],
): ChatDefinition {
  return {
    name,
    title,
    fields: [ADDRESS, ...fields],
    formatOf,
    create: ({ environment, http }) => new ChatChannel(formatOf, http, environment.WEBHOOK_TIMEOUT_MS),
  };
}

/** Sends notifications to a chat through its incoming webhook. */
export class ChatChannel implements Channel {
  constructor(
    private readonly formatOf: (url: URL) => ChatFormat,
    private readonly client: OutboundHttpClient,
    private readonly timeoutMs: number,
  ) {}

  async send(
    notification: AlertNotification,
    config: ChannelConfig,
    signal: AbortSignal,
  ): Promise<DeliveryOutcome> {
    const address = config.webhook_url;
    if (address === undefined || !URL.canParse(address))
      return unsendable('channel_config.webhook_url is not an address');
    const url = new URL(address);
    const format = this.formatOf(url);
    const refusal = format.refuse(config, url);
    if (refusal !== null) return unsendable(refusal);
    const body = JSON.stringify(format.render(notification, config));
    const { outcome, response } = await postJson(this.client, {
      url: address,
      body,
      timeoutMs: this.timeoutMs,
      signal,
    });
    if (response === null || outcome.ok) return outcome;
    const demanded = response.status === 429 ? format.retryAfterMs(response) : null;
    return {
      ...outcome,
      ...(demanded === null ? {} : { retryAfterMs: Math.max(demanded, outcome.retryAfterMs ?? 0) }),
      ...(PERMANENT.has(response.status) ? { permanent: true } : {}),
    };
  }
}
