import type { OutboundResponse } from '../../infrastructure/outbound-http/outbound-http-client.js';
import type { AlertNotification, ChannelConfig } from './channel.js';

/** What a chat service wants to be sent, and how it says that it is busy. */
export interface ChatFormat {
  /** The JSON body for a notification, within the service's limits and without mentions. */
  render(notification: AlertNotification, config: ChannelConfig): object;
  /** What is missing in a configuration, as a sentence; null when nothing is. */
  refuse(config: ChannelConfig, url: URL): string | null;
  /** The wait in milliseconds that a 429's body asks for; null when it names none. */
  retryAfterMs(response: Pick<OutboundResponse, 'body'>): number | null;
}

/** The number at a path of a JSON body; null when the body is not JSON or holds something else there. */
export function numberAt(body: Buffer, ...path: string[]): number | null {
  try {
    let value: unknown = JSON.parse(body.toString('utf8'));
    for (const key of path) value = (value as Record<string, unknown> | null)?.[key];
    return typeof value === 'number' && Number.isFinite(value) ? value : null;
  } catch {
    return null;
  }
}
