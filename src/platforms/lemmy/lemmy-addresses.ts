import { percentDecoded } from '../../common/strings.js';
import { parseSite } from '../../common/site-names.js';
import type { Target } from '../platform.js';
import { parseLemmyTarget } from './lemmy-target.js';

/**
 * The subject of an address whose site is an instance of Lemmy, PieFed or Mbin: a target, or a post or comment, whose community is the target.
 */
export type LemmyAddress = { site: string } & ({ target: Target } | { post: string } | { comment: string });

/** Pages that list the posts of all communities. */
const WHOLE: ReadonlySet<string> = new Set(['', 'home', 'communities']);
const NUMBER = /^\d{1,12}$/;

/** Reads an address; null for one that names none of these. */
export function readLemmyAddress({ host, pathname, searchParams }: URL): LemmyAddress | null {
  const site = parseSite(host);
  const [, area = '', name = ''] = pathname.split('/').map(percentDecoded);
  if (site === null) return null;
  if (area === 'comment') return NUMBER.test(name) ? { site, comment: name } : null;
  if (area === 'post') return NUMBER.test(name) ? { site, post: name } : null;
  const targetAt = (type: Target['type'], text: string): LemmyAddress | null => {
    const parsed = parseLemmyTarget({ type, name: `${text}@${site}` });
    return 'refusal' in parsed ? null : { site, target: parsed.target };
  };
  const listing = searchParams.get('listingType') ?? searchParams.get('listing_type') ?? '';
  if (WHOLE.has(area)) return targetAt('forum', /^all$/i.test(listing) ? 'all' : 'local');
  // Magazines are those of Mbin.
  if (area === 'c' || area === 'm') return targetAt('forum', name);
  if (area.startsWith('@')) return targetAt('user', area.slice(1));
  return area === 'u' ? targetAt('user', name) : null;
}
