import type { Clock } from '../../common/clock.js';
import type { OutboundHttpClient } from '../../infrastructure/outbound-http/outbound-http-client.js';
import type { DeliveryOutcome } from '../../messages/channels/channel.js';

/** An event for one webhook. */
export interface OutgoingEvent {
  /** Unique key of the webhook. */
  destination: string;
  /** Address of the webhook. */
  url: string;
  /** Its secrets, the newest first. */
  secrets: readonly string[];
  /** Id of the delivery, the same for every attempt. */
  id: string;
  /** JSON text in one line, in the form that the webhook wants. */
  body: string;
  mediaType: string;
  /** As in the body: `job.completed`. */
  type: string;
  signal: AbortSignal;
}

/** Sends events to the addresses of its schemes. Never throws: every failure is returned as an outcome. */
export interface Transport {
  send(event: OutgoingEvent): Promise<DeliveryOutcome>;
  /** Releases connections. */
  close?(): void;
}

/** Dependencies of transports. */
export interface TransportContext {
  /** The client for addresses that users name. */
  http: OutboundHttpClient;
  clock: Clock;
  /** Time limit of one request in milliseconds. */
  timeoutMs: number;
  /** How many events of one webhook are handed over before the first of them has an outcome. */
  concurrency: number;
}

/** One way of sending events to webhooks. It is added to the list in `transports.ts`. */
export interface TransportDefinition {
  name: string;
  /** The schemes of its addresses, each with its colon. */
  schemes: readonly string[];
  /** The credential that the webhook's `secret` must be, as a noun; null where a secret is optional and signs requests. */
  requiredSecret: string | null;
  /** Why an address cannot be used, as a predicate; null when it can. */
  refuse: (address: string, http: OutboundHttpClient) => string | null;
  create: (context: TransportContext) => Transport;
}
