import type { Redis } from 'ioredis';
import type { Clock } from '../../common/clock.js';
import type { Environment } from '../../config/environment.js';
import type { OutboundHttpClient } from '../../infrastructure/outbound-http/outbound-http-client.js';
import type { ChannelConfig } from './channel-config.js';
import type { ChannelField } from './channel-settings.js';

/** Result of one delivery attempt, for webhooks, chats and e-mail. */
export interface DeliveryOutcome {
  ok: boolean;
  /** HTTP or SMTP status returned by the receiver; null when there was no response. */
  responseCode: number | null;
  durationMs: number;
  /** Wait that the receiver requires before the next attempt, in milliseconds. */
  retryAfterMs?: number;
  /** Whether a retry would fail in the same way. */
  permanent?: boolean;
  /** Of several recipients, those that were refused: only they are tried again. */
  remaining?: readonly string[];
  /** Whether the other recipients were reached. */
  isPartial?: boolean;
  /** Cause of the failure for the delivery log; never contains a secret or anything that the receiver sent. */
  error?: string;
}

/** The fields of a post or comment that notifications show. */
export interface NotifiedPost {
  /** Platform id of the post. */
  id: string;
  /** Of a comment on it: its platform id. */
  commentId?: string;
  title: string;
  forum: string;
  author: string;
  /** Path on the platform, starting with `/`. */
  permalink: string;
  selftext: string;
  sentiment?: string;
  numComments?: number;
  /** Number of reposts of the same story. */
  reposts?: number;
  /** Number of further matching comments in the thread that are not shown. */
  moreComments?: number;
  /** Texts in which words matched, HTML-escaped, with `<mark>`. */
  highlights?: { title?: string; selftext?: string };
}

/** The rendered parts of an e-mail. */
export interface EmailContent {
  subject: string;
  text: string;
  html: string;
  /** Pictures, which the HTML names by `cid`. */
  attachments?: { cid: string; filename: string; contentType: string; content: Buffer }[];
}

/** A triggered alert or a report, as passed to every channel. */
export interface AlertNotification {
  /** Id, without prefix, of the workspace for which the notification is sent. */
  workspaceId: string;
  /** Id of the event, the same for every attempt. */
  id: string;
  /** Id of the delivery, the same for every attempt. */
  deliveryId: string;
  /** The event as webhooks receive it: JSON. */
  eventBody: string;
  alertId: string;
  alertName: string;
  /** The keywords that matched, as written in the alert. */
  keywords: readonly string[];
  /** Address of the dashboard, to which links lead instead of the platform; absent if it is not configured. */
  dashboard?: string;
  /** The first matching posts and comments, one a story; a channel shows as many as fit. */
  posts: readonly NotifiedPost[];
  /** One sentence in place of the counts: a spike, a story, or the summary of a report. */
  sentence?: string;
  /** The figures of a report, one a line. */
  lines?: readonly string[];
  /** The e-mail of a report, in place of one that lists the posts. */
  email?: EmailContent;
  /** Total number of matching posts. */
  totalPosts: number;
  /** Total number of matching comments. */
  totalComments: number;
  /** Of a notification to one person: where the subscription ends, by a page and by one request (RFC 8058). */
  unsubscribe?: { page: string; oneClick: string };
  /** Of several recipients, those that no earlier attempt has reached. Default: all. */
  remaining?: readonly string[] | null;
}

/** Sends alert notifications. Never throws: every failure is returned as an outcome. */
export interface Channel {
  send(notification: AlertNotification, config: ChannelConfig, signal: AbortSignal): Promise<DeliveryOutcome>;
  /** Releases connections. */
  close?(): void;
}

/** Dependencies of channels. */
export interface ChannelContext {
  environment: Environment;
  /** The client for addresses that users name. */
  http: OutboundHttpClient;
  redis: Redis;
  clock: Clock;
}

/**
 * One channel of alerts: validation, masks, contract and the dashboard's form are derived from it. It is added to the
 * list in `channels.ts`.
 */
export interface ChannelDefinition {
  /** As in `channel` of an alert. */
  name: string;
  /** Name in the dashboard. */
  title: string;
  /** Whether it is a second name of others, which the dashboard does not offer. */
  isAlias?: boolean;
  fields: readonly ChannelField[];
  /** Why nothing can be sent with this configuration; absent where a configuration that is taken is enough. */
  obstacle?: (config: ChannelConfig, environment: Environment) => ChannelObstacle | null;
  create: (context: ChannelContext) => Channel;
}

/** What keeps a channel from sending. */
export interface ChannelObstacle {
  /** Stable. */
  code: string;
  /** A sentence that names the remedy. */
  message: string;
}
