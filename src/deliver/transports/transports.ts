import { NamedRegistry } from '../../common/named-registry.js';
import { HTTP } from './http-transport.js';
import { S3 } from './s3-transport.js';
import type { TransportDefinition } from './transport.js';

/** The ways of sending events to webhooks. */
export const TRANSPORTS = new NamedRegistry<TransportDefinition>('transport', [HTTP, S3]);

/** The transport of an address, by its scheme; HTTP, which refuses it, where the scheme is unknown. */
export function transportOf(address: string): TransportDefinition {
  const scheme = URL.canParse(address) ? new URL(address).protocol : '';
  return TRANSPORTS.all.find(({ schemes }) => schemes.includes(scheme)) ?? HTTP;
}
