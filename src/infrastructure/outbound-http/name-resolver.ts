import { existsSync, readFileSync } from 'node:fs';
import type { LookupAddress } from 'node:dns';
import { Resolver as DnsResolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';
import { OutboundError } from './outbound-error.js';

/** Resolves a host name to all its addresses. Rejects when it has none. */
export type NameResolver = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Options of the name resolver. */
export interface NameResolverOptions {
  /** DNS servers as `address` or `address:port`. Default: the system's. */
  servers?: string[];
  /** Maximum time for one name, in milliseconds. Default 3,000. */
  timeoutMs?: number;
  /** Default `/etc/hosts`, read once. */
  hostsFile?: string;
}

const DEFAULT_TIMEOUT_MS = 3_000;
const TRIES = 2;
/** Once one address family is resolved, the other one is awaited for at most this time. */
const OTHER_FAMILY_MS = 250;
/** Lookups in flight per parent domain, so that many names of one unresponsive domain cannot use all sockets. */
const LOOKUPS_PER_DOMAIN = 16;
/** Total lookups in flight; further ones fail at once. */
const MAX_LOOKUPS = 2_000;

/**
 * Resolves names with c-ares, which needs no thread, so that names whose DNS never responds do not delay other names.
 * `dns.lookup` has only a few threads. `localhost` and the names in the hosts file need no DNS. Search domains are not
 * applied. Concurrent lookups of one name share a query. Rejects with {@link OutboundError} `dns_failed`.
 */
export function createNameResolver(options: NameResolverOptions = {}): NameResolver {
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  // c-ares doubles the timeout with each try, so two tries take three times the first timeout.
  const dns = new DnsResolver({ timeout: Math.ceil(timeoutMs / 3), tries: TRIES });
  if (options.servers) dns.setServers(options.servers);
  const hosts = readHosts(options.hostsFile ?? '/etc/hosts');
  const inFlight = new Map<string, Promise<readonly LookupAddress[]>>();
  const limits = new Map<string, LimitFunction>();

  const query = async (name: string): Promise<readonly LookupAddress[]> => {
    const domain = parentDomain(name);
    const limit = limits.get(domain) ?? pLimit(LOOKUPS_PER_DOMAIN);
    limits.set(domain, limit);
    try {
      return await withTimeout(
        (expiry) => limit(() => (expiry.aborted ? [] : queryBothFamilies(dns, name))),
        timeoutMs,
      );
    } finally {
      if (limit.activeCount + limit.pendingCount === 0) limits.delete(domain);
    }
  };

  return (hostname) => {
    const name = hostname.toLowerCase().replace(/\.$/, '');
    const fixed = isLocalhost(name) ? [{ address: '127.0.0.1', family: 4 }] : hosts.get(name);
    if (fixed) return Promise.resolve(fixed);
    const shared = inFlight.get(name);
    if (shared) return shared;
    if (inFlight.size >= MAX_LOOKUPS)
      return Promise.reject(new OutboundError('dns_failed', 'Too many host names are being resolved'));
    const lookup = query(name).finally(() => inFlight.delete(name));
    inFlight.set(name, lookup);
    return lookup;
  };
}

async function queryBothFamilies(dns: DnsResolver, name: string): Promise<LookupAddress[]> {
  const v4 = dns.resolve4(name).then((all) => all.map((address) => ({ address, family: 4 })));
  const v6 = dns.resolve6(name).then((all) => all.map((address) => ({ address, family: 6 })));
  const none = (): LookupAddress[] => [];
  const first = await Promise.any([v4, v6]).catch((error: AggregateError) => {
    throw dnsError(error.errors as unknown[]);
  });
  const other = first[0]?.family === 4 ? v6 : v4;
  const stop = new AbortController();
  const rest = await Promise.race([
    other.catch(none),
    sleep(OTHER_FAMILY_MS, undefined, { signal: stop.signal }).then(none, none),
  ]);
  stop.abort();
  return [...first, ...rest].sort((a, b) => a.family - b.family);
}

function dnsError(errors: readonly unknown[]): OutboundError {
  const codes = errors.map((error) => (error as NodeJS.ErrnoException).code ?? 'UNKNOWN');
  // NODATA for one family is less informative than the failure of the other.
  const code = codes.find((each) => each !== 'ENODATA') ?? codes[0];
  return new OutboundError('dns_failed', `The host name could not be resolved (${code})`, {
    cause: errors[0],
  });
}

/** Runs `work`; after the timeout its signal is aborted and its result ignored. */
async function withTimeout<T>(work: (expiry: AbortSignal) => Promise<T>, timeoutMs: number): Promise<T> {
  const expiry = new AbortController();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      expiry.abort();
      reject(new OutboundError('dns_failed', `The host name could not be resolved within ${timeoutMs} ms`));
    }, timeoutMs);
    work(expiry.signal)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}

/** The last two labels of a name, an approximation of the domain that one DNS operator runs. */
function parentDomain(name: string): string {
  return name.split('.').slice(-2).join('.');
}

/** RFC 6761: `localhost` and the names below it are loopback. */
export function isLocalhost(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

/** Names and addresses in a hosts file; empty when the file does not exist. */
function readHosts(path: string): Map<string, LookupAddress[]> {
  const hosts = new Map<string, LookupAddress[]>();
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  for (const line of lines) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names) {
      const known = hosts.get(name.toLowerCase());
      if (known) known.push({ address, family });
      else hosts.set(name.toLowerCase(), [{ address, family }]);
    }
  }
  return hosts;
}
