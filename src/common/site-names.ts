import { domainToASCII } from 'node:url';

/** The port that a site has unless it names another. */
const HTTPS = 443;
/** Host names, in any case, with or without a port. */
const SITE =
  /^(?=.{1,200}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::\d{1,5})?$/i;

/** Longer names in other scripts than Latin have no form of 200 characters; reading one takes quadratic time. */
const LONGEST_NAME = 1_000;

/** A site in its normal form (ASCII in lower case, no port of https), without a scheme and slashes; null if it is none. */
export function parseSite(text: string): string | null {
  const bare = text
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/\/$/, '');
  if (bare.length > LONGEST_NAME) return null;
  // eslint-disable-next-line no-control-regex -- ASCII is meant.
  const [, name = '', after = ''] = /[^\x00-\x7f]/.test(bare)
    ? (/^([^/:?#@]+)(:\d+)?$/.exec(bare) ?? [])
    : [];
  const site = name === '' ? bare : domainToASCII(name) + after;
  if (!SITE.test(site)) return null;
  const [host, port = HTTPS] = site.toLowerCase().split(':');
  return Number(port) === HTTPS ? host! : `${host}:${Number(port)}`;
}

/** The id of a post or comment of a source with many sites: `PREFIX_SITE_NUMBER`. */
export function siteId(prefix: string, site: string, number: string | number): string {
  return `${prefix}${site}_${number}`;
}

/** The site and the number within an id; null for an id of another form. */
export function splitSiteId(prefix: string, id: string): { site: string; number: string } | null {
  const end = id.lastIndexOf('_');
  if (!id.startsWith(prefix) || end < prefix.length) return null;
  const [site, number] = [id.slice(prefix.length, end), id.slice(end + 1)];
  return parseSite(site) === site && /^[A-Za-z0-9]{1,64}$/.test(number) ? { site, number } : null;
}

/** Numbers by site, of ids of one source; ids of another form are left out. */
export function bySite(prefix: string, ids: readonly string[]): Map<string, string[]> {
  const numbers = new Map<string, string[]>();
  for (const id of ids) {
    const split = splitSiteId(prefix, id);
    if (split) numbers.set(split.site, [...(numbers.get(split.site) ?? []), split.number]);
  }
  return numbers;
}
