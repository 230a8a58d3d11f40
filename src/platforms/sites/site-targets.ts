import { PlatformError, type Target } from '../platform.js';
import type { ParsedTarget } from '../platform-definition.js';
import { parseSite } from '../../common/site-names.js';
import { decodedName } from '../../common/strings.js';

const NAME = /^[^\s/?#@]{1,100}$/u;

/** A name of a site's account, community or topic, and the site: `technology@site.example`. */
export interface NameOfSite {
  /** May itself contain the host of the account's or community's home. */
  name: string;
  site: string;
}

/** Parses `NAME@SITE`, where a name may hold `@` itself; null for another form. */
export function readNameOfSite(target: Pick<Target, 'name'>): NameOfSite | null {
  const text = decodedName(target.name);
  const at = text.lastIndexOf('@');
  const site = parseSite(text.slice(at + 1));
  const [own = '', home, ...others] = text.slice(0, at).trim().replace(/^[!@]/, '').split('@');
  const homeSite = home === undefined ? '' : parseSite(home);
  if (at < 0 || site === null || homeSite === null || others.length > 0 || !NAME.test(own)) return null;
  return { name: home === undefined ? own : `${own}@${homeSite}`, site };
}

/** A target by its name in the normal form; a refusal with the forms to write where there is none. */
export function parsedAs(
  prefix: string,
  target: Target,
  name: string | null | undefined,
  forms: string,
): ParsedTarget {
  return name == null
    ? { refusal: `There is no ${target.type} "${prefix}:${target.name}". Write ${forms}` }
    : { target: { ...target, name } };
}

/** The answer for a target. Throws {@link PlatformError} for null. */
export function requireTarget<T>(prefix: string, { name }: Target, read: T | null): T {
  if (read === null) throw new PlatformError('target_not_found', `There is no target "${prefix}:${name}"`);
  return read;
}
