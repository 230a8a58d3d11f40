import { parseSite } from '../../common/site-names.js';
import type { Target } from '../platform.js';
import { parseLemmyTarget } from './lemmy-target.js';

/** What an address names if its site is a Lemmy instance: a target, or a post, of which the community is the target. */
export type LemmyAddress = { site: string } & ({ target: Target } | { post: string });

/** Reads an address; null for one that names none of these. */
export function readLemmyAddress({ host, pathname }: URL): LemmyAddress | null {
  const site = parseSite(host);
  if (site === null) return null;
  const [, area = '', name = ''] = pathname.split('/');
  if (area === 'post') return /^\d{1,12}$/.test(name) ? { site, post: name } : null;
  const type = area === 'u' ? 'user' : 'forum';
  const isAll = area === '' || area === 'home' || area === 'communities';
  if (!isAll && area !== 'c' && area !== 'u') return null;
  const parsed = parseLemmyTarget({ type, name: `${isAll ? 'local' : decodedName(name)}@${site}` });
  return 'refusal' in parsed ? null : { site, target: parsed.target };
}

/** Browsers may encode the `@` before the host of a name's home. */
const decodedName = (name: string): string => name.replaceAll(/%40/g, '@');
