import type { OutboundResponse } from '../../infrastructure/outbound-http/outbound-http-client.js';
import type { AlertNotification } from './channel.js';
import type { ChannelConfig } from './channel-config.js';

/** The message format of one chat service. */
export interface ChatFormat {
  /** Returns the JSON body of a notification, within the service's limits and without mentions. */
  render(notification: AlertNotification, config: ChannelConfig): object;
  /** Returns why a configuration cannot be used, as a sentence; null when it can be used. */
  refuse(config: ChannelConfig, url: URL): string | null;
  /** Returns the wait in milliseconds that the body of a 429 requires; null when it contains none. */
  retryAfterMs(response: Pick<OutboundResponse, 'body'>): number | null;
}

/** Returns the number at a path of a JSON body; null when the body is not JSON or has no number there. */
export function numberAt(body: Buffer, ...path: string[]): number | null {
  try {
    let value: unknown = JSON.parse(new TextDecoder().decode(body));
    for (const key of path) value = (value as Record<string, unknown> | null)?.[key];
    return typeof value === 'number' && Number.isFinite(value) ? value : null;
  } catch {
    return null;
  }
}
