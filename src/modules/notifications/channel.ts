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

/** `channel_config` of an alert, as its owner sent it: a channel checks what it reads. Other keys are ignored. */
export interface ChannelConfig {
  /** Where a chat channel posts to. */
  webhook_url?: unknown;
  /** Telegram: the chat to write to, a number or a string, when the address does not name it. */
  chat_id?: unknown;
  /** E-mail: one address, several with commas, or a list. */
  to?: unknown;
}

/** A way to tell an alert. Never throws: whatever goes wrong is an outcome. */
export interface Channel {
  send(notification: AlertNotification, config: ChannelConfig, signal: AbortSignal): Promise<DeliveryOutcome>;
}
