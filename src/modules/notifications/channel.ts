import type { ChannelConfig } from './channel-config.js';

/** Result of one attempt at a delivery, for webhooks, chats and e-mail alike. */
export interface DeliveryOutcome {
  ok: boolean;
  /** HTTP or SMTP status of the receiver; null when there was no answer. */
  responseCode: number | null;
  durationMs: number;
  /** Wait that the receiver demands before the next attempt, in milliseconds. */
  retryAfterMs?: number;
  /** A repetition would fail in the same way. */
  permanent?: boolean;
  /** Cause of the failure for the delivery log; contains no secret and nothing that the receiver sent. */
  error?: string;
}

/** A post as notifications show it. */
export interface NotifiedPost {
  title: string;
  forum: string;
  author: string;
  /** Path on the platform, beginning with `/`. */
  permalink: string;
  selftext: string;
}

/** A triggered alert, as every channel presents it. */
export interface AlertNotification {
  /** Id without prefix of the workspace on whose behalf the notification is sent. */
  workspaceId: string;
  /** Id of the event, the same for every attempt. */
  id: string;
  alertId: string;
  alertName: string;
  /** The keywords that were found, as written in the alert. */
  keywords: readonly string[];
  /** The first matched posts; a channel shows as many as fit. */
  posts: readonly NotifiedPost[];
  /** Number of all matched posts. */
  totalPosts: number;
}

/** Sends notifications of alerts. Never throws: every failure is an outcome. */
export interface Channel {
  send(notification: AlertNotification, config: ChannelConfig, signal: AbortSignal): Promise<DeliveryOutcome>;
}
