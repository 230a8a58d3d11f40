import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

type Range = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Proxies in a row; further entries of the header are not read. */
const MAX_PROXIES = 20;

/** Parses addresses and ranges such as `10.0.0.0/8`, which the environment has checked. */
export function parseRanges(parts: readonly string[]): Range[] {
  return parts.map((part) => {
    if (part.includes('/')) return ipaddr.parseCIDR(part);
    const address = ipaddr.parse(part);
    return [address, address.kind() === 'ipv4' ? 32 : 128];
  });
}

/**
 * The address of the client: the peer's, or, while that is a trusted proxy, the last address of `X-Forwarded-For` that
 * is none. Entries of the client itself precede those that proxies append, so they are never used.
 */
export function clientAddress(
  peer: string,
  forwarded: string | undefined,
  trusted: readonly Range[],
): string {
  let address = normalised(peer);
  if (trusted.length === 0 || forwarded === undefined) return address;
  const hops = forwarded.split(',', 10_000).slice(-MAX_PROXIES).reverse();
  for (const hop of hops) {
    if (!isTrusted(address, trusted)) return address;
    const next = hop.trim();
    if (!ipaddr.isValid(next)) return address;
    address = normalised(next);
  }
  return address;
}

/** Proxies that may state the scheme where none are configured: those on the same machine. */
const LOOPBACK = parseRanges(['127.0.0.0/8', '::1']);

/**
 * Middleware that sets `request.clientAddress`, and `request.isOverTls` if the client uses TLS as far as the connection or
 * `X-Forwarded-Proto` of a trusted proxy shows.
 */
export function assignClientAddress(
  proxies: readonly string[],
): (
  request: IncomingMessage & { clientAddress?: string; isOverTls?: boolean },
  response: unknown,
  next: () => void,
) => void {
  const trusted = parseRanges(proxies);
  const ofScheme = trusted.length === 0 ? LOOPBACK : trusted;
  return (request, _response, next) => {
    const { 'x-forwarded-for': header, 'x-forwarded-proto': schemes } = request.headers;
    const forwarded = Array.isArray(header) ? header.join(',') : header;
    const peer = request.socket.remoteAddress ?? 'unknown';
    request.clientAddress = clientAddress(peer, forwarded, trusted);
    const scheme = String(schemes ?? '')
      .split(',', 1)[0]!
      .trim();
    request.isOverTls =
      'encrypted' in request.socket || (scheme === 'https' && isTrusted(normalised(peer), ofScheme));
    next();
  };
}

function isTrusted(address: string, trusted: readonly Range[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  return trusted.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits));
}

/** IPv4 addresses that a dual-stack socket reports as `::ffff:192.0.2.1` are written as IPv4. */
function normalised(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
}
