import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { contains, parseCidrs } from './address-guard.js';
import { isLocalhost } from './name-resolver.js';

const LOOPBACK = parseCidrs(['127.0.0.0/8', '::1']);

/**
 * Whether a host is reached without the proxy: this machine, and each host that one of the exceptions names as itself
 * (`host`, `host:port`), by its domain (`example.com`, `.example.com`), by an address or range, or as `*`.
 */
export function isException(host: string, port: number, exceptions: readonly string[]): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return isThisMachine(name) || exceptions.some((exception) => includes(exception.toLowerCase(), name, port));
}

function isThisMachine(name: string): boolean {
  if (isIP(name) === 0) return isLocalhost(name);
  return LOOPBACK.some((range) => contains(range, ipaddr.parse(name)));
}

function includes(exception: string, name: string, port: number): boolean {
  if (exception === '*') return true;
  if (isIP(exception) !== 0 || ipaddr.isValidCIDR(exception))
    return isIP(name) !== 0 && parseCidrs([exception]).some((range) => contains(range, ipaddr.parse(name)));
  const [, domain, ofPort] = /^\*?\.?([^:]*)(?::(\d+))?$/.exec(exception) ?? [];
  if (!domain || (ofPort !== undefined && Number(ofPort) !== port)) return false;
  return name === domain || name.endsWith(`.${domain}`);
}
