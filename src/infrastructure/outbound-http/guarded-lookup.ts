// The logger alone: the program that checks a source needs nothing else of the framework.
import 'reflect-metadata';
import { Logger } from '@nestjs/common/services/logger.service.js';
import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { refuseAddress, type Cidr } from './address-guard.js';
import type { NameResolver } from './name-resolver.js';
import { OutboundError } from './outbound-error.js';

const logger = new Logger('OutboundHttp');

/**
 * A `lookup` for `net.connect` that returns exactly the addresses that were checked, so that a name cannot resolve to
 * one address for the check and to another for the connection. A name is refused if any of its addresses is refused.
 */
export function guardedLookup(resolve: NameResolver, allowed: readonly Cidr[]): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname)
      .then((addresses) => checkedAddresses(hostname, addresses, allowed))
      .then(
        (addresses) => {
          if (options.all) callback(null, addresses);
          else callback(null, addresses[0]!.address, addresses[0]!.family);
        },
        (error: unknown) => callback(error as NodeJS.ErrnoException, '', 0),
      );
  };
}

function checkedAddresses(
  hostname: string,
  addresses: readonly LookupAddress[],
  allowed: readonly Cidr[],
): LookupAddress[] {
  if (addresses.length === 0) throw new OutboundError('dns_failed', `${hostname} has no address`);
  for (const { address } of addresses) {
    const refusal = refuseAddress(address, allowed);
    if (refusal === null) continue;
    // Only the operator may learn the addresses of names within the network.
    logger.warn({ hostname, refusal }, 'outbound address refused');
    throw new OutboundError(
      'address_refused',
      `${hostname} resolves to an address that is not public; the operator's log names it`,
    );
  }
  return [...addresses];
}
