import { NamedRegistry } from '../../common/named-registry.js';
import type { OutboundHttpClient } from '../../infrastructure/outbound-http/outbound-http-client.js';
import { AMQP } from './amqp-transport.js';
import { HTTP } from './http-transport.js';
import { NATS } from './nats-transport.js';
import { S3 } from './s3-transport.js';
import type { TransportDefinition } from './transport.js';

/** The ways of sending events to webhooks. */
export const TRANSPORTS = new NamedRegistry<TransportDefinition>('transport', [HTTP, S3, AMQP, NATS]);

/** The transport of an address, by its scheme; HTTP, which refuses it, where the scheme is unknown. */
export function transportOf(address: string): TransportDefinition {
  return ofScheme(address) ?? HTTP;
}

/** Why an address cannot be used, as a predicate; null when it can. */
export function refuseDestination(address: string, http: OutboundHttpClient): string | null {
  if (!URL.canParse(address)) return `must be an absolute URL that begins with ${SCHEMES}`;
  const transport = ofScheme(address);
  return transport === undefined ? `must begin with ${SCHEMES}` : transport.refuse(address, http);
}

const SCHEMES = TRANSPORTS.all
  .flatMap(({ schemes }) => schemes)
  .map((scheme) => `${scheme}//`)
  .join(', ')
  .replace(/, (?=[^,]*$)/, ' or ');

function ofScheme(address: string): TransportDefinition | undefined {
  const scheme = URL.canParse(address) ? new URL(address).protocol : '';
  return TRANSPORTS.all.find(({ schemes }) => schemes.includes(scheme));
}
