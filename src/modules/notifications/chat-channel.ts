import type { OutboundHttpClient } from '../../infrastructure/outbound-http/outbound-http-client.js';
import type { AlertNotification, Channel, DeliveryOutcome } from './channel.js';
import type { ChannelConfig } from './channel-config.js';
import type { ChatFormat } from './chat-format.js';
import { discord } from './discord.js';
import { postJson, unsendable } from './post-json.js';
import { slack } from './slack.js';
import { telegram } from './telegram.js';

/** The channels that send to chats. */
export const CHAT_CHANNELS = ['chat_a', 'chat_b', 'discord', 'telegram', 'slack'] as const;
/** One of {@link CHAT_CHANNELS}. */
export type ChatChannelName = (typeof CHAT_CHANNELS)[number];

const SLACK_HOSTS = new Set(['hooks.slack.com', 'hooks.slack-gov.com']);
/** Statuses after which a retry would fail too: the message is not accepted, or the chat does not exist. */
const PERMANENT = new Set([400, 401, 403, 404, 413]);

/**
 * Returns the format of a channel. `discord`, `telegram` and `slack` have their own. `chat_a` and `chat_b` use Slack's
 * format for Slack's hosts, and otherwise Discord's and Telegram's respectively.
 */
export function formatFor(channel: ChatChannelName, url: URL): ChatFormat {
  switch (channel) {
    case 'discord':
      return discord;
    case 'telegram':
      return telegram;
    case 'slack':
      return slack;
    default:
      if (SLACK_HOSTS.has(url.hostname)) return slack;
      return channel === 'chat_a' ? discord : telegram;
  }
}

/** Sends notifications to a chat through its incoming webhook. */
export class ChatChannel implements Channel {
  constructor(
    private readonly name: ChatChannelName,
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
    const format = formatFor(this.name, url);
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
