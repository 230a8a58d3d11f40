import { decodedName, percentDecoded } from '../../common/strings.js';
import { parsedAs } from '../sites/site-targets.js';
import type { Target } from '../platform.js';
import type { ParsedTarget, Resolution } from '../platform-definition.js';

/** The subject of a target of Stack Exchange: a tag of a site, or an account by its number. */
export interface StackExchangeTarget {
  /** The short name that the API gives the site: `stackoverflow`, `unix`, `ru.stackoverflow`. */
  site: string;
  kind: 'tag' | 'user';
  name: string;
}

/** Origins of the sites that are not below stackexchange.com. */
export const ORIGINS: Readonly<Record<string, string>> = Object.fromEntries([
  ...['stackoverflow', 'superuser', 'serverfault', 'askubuntu', 'stackapps'].flatMap((site) => [
    [site, `https://${site}.com`],
    [`meta.${site}`, `https://meta.${site}.com`],
  ]),
  ...['es', 'ja', 'pt', 'ru'].map((language) => [
    `${language}.stackoverflow`,
    `https://${language}.stackoverflow.com`,
  ]),
  ...['mathoverflow.net', 'meta.mathoverflow.net'].map((site) => [site, `https://${site}`]),
] as [string, string][]);

const FORM = /^([a-z0-9][a-z0-9.-]{0,99})\/([^\s/;?&]{1,100})$/;
/** Other names of sites. */
const SHORT: Readonly<Record<string, string>> = {
  mathoverflow: 'mathoverflow.net',
  'meta.mathoverflow': 'meta.mathoverflow.net',
};

/** Parses a target without its prefix; null for another form. */
export function readStackExchangeTarget(target: Target): StackExchangeTarget | null {
  const [, given, name] = FORM.exec(decodedName(target.name.trim()).toLowerCase()) ?? [];
  if (given === undefined || name === undefined) return null;
  const site = siteNamed(given);
  if (target.type === 'user') return /^\d{1,15}$/.test(name) ? { site, kind: 'user', name } : null;
  return { site, kind: 'tag', name };
}

/** The short name of a site that is given by it, by its host name or by another name. */
export function siteNamed(name: string): string {
  return Object.hasOwn(SHORT, name) ? SHORT[name]! : (siteOfHost(name) ?? name);
}

const FORMS =
  'stackexchange:SITE/TAG, such as stackexchange:stackoverflow/rust, or, with target_type "user", stackexchange:SITE/USERID with the number of the account';

/** The normal form of a target, or why it cannot exist. */
export function parseStackExchangeTarget(target: Target): ParsedTarget {
  const read = readStackExchangeTarget(target);
  return parsedAs('stackexchange', target, read && `${read.site}/${read.name}`, FORMS);
}

/**
 * The tag or account at an address of a site; null for any other address, and for a question or answer, of which a
 * request finds the tags.
 */
export function resolveStackExchange(url: URL): Resolution | null {
  const site = siteOfHost(url.hostname);
  if (site === null || postAt(url) !== null) return null;
  const [, tags] = /^\/(?:questions\/tagged|tags)\/([^/]+)/.exec(url.pathname) ?? [];
  const [, user] = /^\/users\/(\d{1,15})(?:\/|$)/.exec(url.pathname) ?? [];
  const [tag, ...others] = (tags ?? '').split(/\+|%20/);
  const type = user === undefined ? 'forum' : 'user';
  const name = `${site}/${user ?? percentDecoded(tag!)}`;
  if (others.length > 0)
    return { refusal: `Several tags are no target. Write one of them: stackexchange:${name.toLowerCase()}` };
  const parsed = parseStackExchangeTarget({ type, name });
  if ('refusal' in parsed)
    return {
      refusal: `The address names no tag and no account. Write stackexchange:${site}/TAG or, with target_type "user", stackexchange:${site}/USERID`,
    };
  return { target: `stackexchange:${parsed.target.name}`, targetType: type, name: parsed.target.name };
}

/** The question or answer at an address of a site; null for any other address. */
export function postAt({
  hostname,
  pathname,
}: URL): { site: string; kind: 'questions' | 'answers'; number: string } | null {
  const site = siteOfHost(hostname);
  const [, kind, number] = /^\/(q|questions|a)\/(\d{1,15})(?:\/|$)/.exec(pathname) ?? [];
  if (site === null || number === undefined) return null;
  return { site, kind: kind === 'a' ? 'answers' : 'questions', number };
}

/** The short name of a site by its host name, or by another name of it; null for a host that is none. */
function siteOfHost(hostname: string): string | null {
  const host = hostname.replace(/^(?:www|m)\./, '');
  const own = Object.keys(ORIGINS).find((site) => ORIGINS[site] === `https://${host}`);
  // The sites for talk about a site were below it once.
  const [, meta, below] = /^(meta\.)?([a-z0-9.-]+)\.stackexchange\.com$/.exec(host) ?? [];
  return own ?? (below === undefined ? null : meta === undefined ? below : `${below}.meta`);
}
