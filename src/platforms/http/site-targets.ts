import type { Target } from '../platform.js';
import { parseSite } from '../../common/site-names.js';

/** A name of a site's account, community or topic, and the site: `technology@site.example`. */
export interface NameOfSite {
  /** May itself contain the host of the account's or community's home. */
  name: string;
  site: string;
}

/** Parses `NAME@SITE`, where a name may hold `@` itself; null for another form. */
export function readNameOfSite({ name: text }: Pick<Target, 'name'>): NameOfSite | null {
  const at = text.lastIndexOf('@');
  const site = parseSite(text.slice(at + 1));
  const name = text.slice(0, at).trim().replace(/^[!@]/, '');
  return at < 0 || site === null || !/^[^\s/?#@]{1,100}(?:@[a-z0-9.:-]{1,200})?$/iu.test(name)
    ? null
    : { name, site };
}
