import type { OutboundHttpClient } from '../../infrastructure/outbound-http/outbound-http-client.js';
import type { AlertNotification, Channel, ChannelConfig, DeliveryOutcome } from './channel.js';
import type { ChatFormat } from './chat-format.js';
import { discord } from './discord.js';
import { postJson, undeliverable } from './post-outcome.js';
import { slack } from './slack.js';
import { telegram } from './telegram.js';

export type ChatChannelName = 'chat_a' | 'chat_b';

const SLACK_HOSTS = new Set(['hooks.slack.com', 'hooks.slack-gov.com']);
/** The message is refused as it is, or the chat is gone: what is sent again is refused again. */
const PERMANENT = new Set([400, 401, 403, 404, 413]);

/** `chat_a` speaks Discord's format, `chat_b` Telegram's; either speaks Slack's to Slack. */
export function formatFor(channel: ChatChannelName, url: URL): ChatFormat {
  if (SLACK_HOSTS.has(url.hostname)) return slack;
  return channel === 'chat_a' ? discord : telegram;
}

/** Tells alerts to a chat through its incoming web hook. */
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
    if (typeof address !== 'string' || !URL.canParse(address))
      return undeliverable('channel_config.webhook_url is not an address');
    const url = new URL(address);
    const format = formatFor(this.name, url);
    const refusal = format.refuse(config, url);
    if (refusal !== null) return undeliverable(refusal);
    const body = JSON.stringify(format.render(notification, config));
    const { outcome, response } = await postJson(this.client, {
      url: address,
      body,
      timeoutMs: this.timeoutMs,
      signal,
    });
    if (response === null || outcome.ok) return outcome;
    const asked = response.status === 429 ? format.retryAfterMs(response) : null;
    return {
      ...outcome,
      ...(asked === null ? {} : { retryAfterMs: Math.max(asked, outcome.retryAfterMs ?? 0) }),
      ...(PERMANENT.has(response.status) ? { permanent: true } : {}),
    };
  }
}
