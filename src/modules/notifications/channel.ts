/** How one attempt at a delivery ended; the same for webhooks, chats and e-mail. */
export interface DeliveryOutcome {
  ok: boolean;
  /** HTTP or SMTP status of the receiver; null when there was no answer. */
  responseCode: number | null;
  durationMs: number;
  /** How long the receiver asked to be left alone. */
  retryAfterMs?: number;
  /** Trying again cannot help. */
  permanent?: boolean;
  /** A sentence for the delivery log. Holds nothing that a receiver sent and no secret. */
  error?: string;
}

export interface NotifiedPost {
  title: string;
  forum: string;
  author: string;
  /** Path on the platform, beginning with `/`. */
  permalink: string;
  selftext: string;
}

/** An alert that was triggered, as every channel tells it. */
export interface AlertNotification {
  /** Id of the event; the same over every attempt. */
  id: string;
  alertId: string;
  alertName: string;
  /** The keywords that were found, as their owner wrote them. */
  keywords: readonly string[];
  /** The first posts; the channel shows as many as fit. */
  posts: readonly NotifiedPost[];
  /** How many posts there are altogether. */
  totalPosts: number;
}

/** `channel_config` of an alert. Keys that a channel does not know are ignored. */
export interface ChannelConfig {
  webhook_url?: string;
  /** Telegram: the chat to write to, when the address does not name it. */
  chat_id?: string | number;
  /** E-mail: one or several recipients. */
  to?: string | readonly string[];
}

/** A way to tell an alert. Never throws: whatever goes wrong is an outcome. */
export interface Channel {
  send(notification: AlertNotification, config: ChannelConfig, signal: AbortSignal): Promise<DeliveryOutcome>;
}
