import { lookup as systemLookup } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { refuseAddress, type Cidr } from './address-guard.js';
import { OutboundError } from './outbound-error.js';

/** Every address of a name. Rejects when the name has none. */
export type Resolver = (hostname: string) => Promise<readonly LookupAddress[]>;

/**
 * The system's resolver, hosts file included. Its look-ups hold threads and cannot be cancelled, so a name that is
 * being asked for is never asked for a second time at once: a dead name holds one thread however often it is used.
 */
export function systemResolver(): Resolver {
  const underWay = new Map<string, Promise<readonly LookupAddress[]>>();
  return (hostname) => {
    const known = underWay.get(hostname);
    if (known) return known;
    const asked = systemLookup(hostname, { all: true }).finally(() => underWay.delete(hostname));
    underWay.set(hostname, asked);
    return asked;
  };
}

/**
 * A `lookup` for `net.connect`: the addresses it hands over are the ones that were checked, so a name cannot answer
 * the check with one address and the connection with another. One refused address refuses the name.
 */
export function guardedLookup(resolve: Resolver, allowed: readonly Cidr[]): LookupFunction {
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
    if (refusal !== null)
      throw new OutboundError('address_refused', `${hostname} leads to a refused address: ${refusal}`);
  }
  return [...addresses];
}
