import { percentDecoded } from '../../common/strings.js';
import type { Target } from '../platform.js';
import type { ParsedTarget, ResolvedTarget } from '../platform-definition.js';

/** What a target of Stack Exchange names: a tag of a site, or an account by its number. */
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
  ['mathoverflow', 'https://mathoverflow.net'],
] as [string, string][]);

const FORM = /^([a-z0-9][a-z0-9.-]{0,99})\/([^\s/;?&]{1,100})$/;
const OWN_HOST = /^(?:www\.)?([a-z0-9.-]+)\.stackexchange\.com$/;

/** Parses a target without its prefix; null for another form. */
export function readStackExchangeTarget(target: Target): StackExchangeTarget | null {
  const [, site, name] = FORM.exec(target.name.trim().toLowerCase()) ?? [];
  if (site === undefined || name === undefined) return null;
  if (target.type === 'user') return /^\d{1,15}$/.test(name) ? { site, kind: 'user', name } : null;
  return { site, kind: 'tag', name };
}

/** The normal form of a target, or why it cannot exist. */
export function parseStackExchangeTarget(target: Target): ParsedTarget {
  const read = readStackExchangeTarget(target);
  return read === null
    ? {
        refusal: `There is no ${target.type} "stackexchange:${target.name}". Write stackexchange:SITE/TAG, such as stackexchange:stackoverflow/rust, or, with target_type "user", stackexchange:SITE/USERID with the number of the account`,
      }
    : { target: { ...target, name: `${read.site}/${read.name}` } };
}

/** The tag or account at an address of a site; null for any other address. */
export function resolveStackExchange({ hostname, pathname }: URL): ResolvedTarget | null {
  const own = Object.keys(ORIGINS).find(
    (site) => ORIGINS[site] === `https://${hostname.replace(/^www\./, '')}`,
  );
  const site = own ?? OWN_HOST.exec(hostname)?.[1];
  const [, tag] = /^\/questions\/tagged\/([^/]+)$/.exec(pathname) ?? [];
  const [, user] = /^\/users\/(\d{1,15})(?:\/|$)/.exec(pathname) ?? [];
  if (site === undefined || (tag === undefined && user === undefined)) return null;
  const type = user === undefined ? 'forum' : 'user';
  const parsed = parseStackExchangeTarget({ type, name: `${site}/${user ?? percentDecoded(tag!)}` });
  if ('refusal' in parsed) return null;
  const { name } = parsed.target;
  return { target: `stackexchange:${name}`, targetType: type, name };
}
