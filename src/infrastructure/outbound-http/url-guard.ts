import { isIP } from 'node:net';
import { refuseAddress, type Cidr } from './address-guard.js';

/** Maximum length of a URL given by a user. */
export const MAX_URL_LENGTH = 2048;

/** Ports of line-based protocols, whose servers could interpret parts of an HTTP request as commands. */
const FOREIGN_PORTS = new Set([21, 22, 23, 25, 110, 119, 143, 465, 587, 993, 995, 6667]);

/** Why a URL is refused. */
export interface UrlRefusal {
  code: 'invalid_url' | 'address_refused';
  /** The rest of a sentence that begins with "The address". */
  sentence: string;
}

/**
 * Why a user's URL is refused, as a sentence; null when it is accepted. Host names are not resolved here: their
 * addresses are checked when connecting.
 */
export function refuseUrl(text: string, allowed: readonly Cidr[]): string | null {
  if (text.length > MAX_URL_LENGTH) return `must have at most ${MAX_URL_LENGTH} characters`;
  if (!URL.canParse(text)) return 'must be an absolute http or https URL';
  return checkUrl(new URL(text), allowed)?.sentence ?? null;
}

/** {@link refuseUrl} for a parsed URL, such as a redirect target. */
export function checkUrl(url: URL, allowed: readonly Cidr[]): UrlRefusal | null {
  const form = refuseForm(url);
  if (form !== null) return { code: 'invalid_url', sentence: form };
  const address = literalAddress(url.hostname);
  const refusal = address === null ? null : refuseAddress(address, allowed);
  return refusal === null
    ? null
    : { code: 'address_refused', sentence: `must point to a public address: ${refusal}` };
}

function refuseForm(url: URL): string | null {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must begin with http:// or https://';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (url.hostname === '') return 'must name a host';
  if (url.port === '0' || FOREIGN_PORTS.has(Number(url.port))) return `must not use port ${url.port}`;
  return null;
}

/**
 * The IP address that a host name literally contains; null for other names. Nothing is resolved. The URL parser has
 * already converted octal, hexadecimal, short and full-width forms to dotted decimals. RFC 6761 defines `localhost` as
 * loopback.
 */
function literalAddress(hostname: string): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  if (isIP(bare) !== 0) return bare;
  return /(^|\.)localhost\.?$/.test(hostname) ? '127.0.0.1' : null;
}
