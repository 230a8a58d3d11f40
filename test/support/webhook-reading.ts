import { Webhook } from 'standardwebhooks';
import type { ReceivedRequest } from './receivers.js';

export interface ReceivedEvent {
  id: string;
  type: string;
  timestamp: string;
  workspace_id: string;
  data: Record<string, unknown>;
}

export const bodyOf = (request: ReceivedRequest): ReceivedEvent => JSON.parse(request.body) as ReceivedEvent;

/** The payload, after checking its signature as a receiver does; throws when the check fails. */
export function verified(request: ReceivedRequest, secret: string): ReceivedEvent {
  const reader = secret.startsWith('whsec_')
    ? new Webhook(secret)
    : new Webhook(Buffer.from(secret), { format: 'raw' });
  return reader.verify(request.body, request.headers as Record<string, string>) as ReceivedEvent;
}
