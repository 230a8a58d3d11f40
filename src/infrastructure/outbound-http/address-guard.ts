import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { ConfigurationError } from '../../config/environment.js';

/** A parsed address range. */
export type Cidr = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** The ranges of a client for addresses that only the operator names. */
export const ANYWHERE = ['0.0.0.0/0', '::/0'];

/** The only part of the IPv6 space that is assigned as global unicast (RFC 4291, IANA registry). */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];

/** Azure's host agent listens on this address, although it is in a public range. */
const CLOUD_METADATA = new Set(['168.63.129.16']);

const REMEDY = '; the operator can allow it with OUTBOUND_ALLOWED_CIDRS';

/** Whether no address is refused. */
export function allowsEverything(allowed: readonly Cidr[]): boolean {
  return ['ipv4', 'ipv6'].every((kind) =>
    allowed.some(([network, bits]) => network.kind() === kind && bits === 0),
  );
}

/** Parses ranges such as `10.0.0.0/8` and single addresses. Throws {@link ConfigurationError} naming a malformed part. */
export function parseCidrs(parts: readonly string[]): Cidr[] {
  return parts.map((part) => {
    if (ipaddr.isValidCIDR(part)) return ipaddr.parseCIDR(part);
    if (isIP(part) === 0)
      throw new ConfigurationError(
        `OUTBOUND_ALLOWED_CIDRS: "${part}" is neither an address nor a range such as 10.0.0.0/8`,
      );
    return [ipaddr.parse(part), isIP(part) === 4 ? 32 : 128];
  });
}

/**
 * Why connections to an address are refused, as a sentence; null when they are allowed. Every address that is not
 * global unicast is refused unless it is in an allowed range. IPv6 forms that embed an IPv4 address are always refused,
 * because no legitimate name resolves to them.
 */
export function refuseAddress(address: string, allowed: readonly Cidr[]): string | null {
  if (isIP(address) === 0) return `${address} is not an IP address`;
  const parsed = ipaddr.parse(address);
  if (allowed.some((cidr) => contains(cidr, parsed))) return null;
  if (CLOUD_METADATA.has(address)) return `${address} is a cloud metadata address${REMEDY}`;
  const range = parsed.range();
  if (range !== 'unicast') return `${address} is not a public address (${wordsOf(range)})${REMEDY}`;
  if (parsed instanceof ipaddr.IPv6 && !parsed.match(GLOBAL_UNICAST))
    return `${address} is not a public address (outside global unicast)${REMEDY}`;
  return null;
}

/** Whether an address is in a range. */
export function contains([network, bits]: Cidr, address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return network.kind() === address.kind() && address.match(network, bits);
}

/** Formats `uniqueLocal` as `unique local`. */
function wordsOf(range: string): string {
  return range.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
