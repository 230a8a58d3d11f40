import { parseSite } from '../../common/site-names.js';
import type { Target } from '../platform.js';
import { parseMastodonTarget } from './mastodon-target.js';

/** Pages that show the whole instance. */
const WHOLE: ReadonlySet<string> = new Set(['', 'about', 'explore', 'home', 'public']);

/** The target that an address names if its site is a Mastodon instance; null for one that names none. */
export function readMastodonAddress({ host, pathname }: URL): Target | null {
  const site = parseSite(host);
  const [, area = '', name = ''] = pathname.replace(/^\/web\//, '/').split('/');
  if (site === null) return null;
  const account = area === 'users' ? name : area.startsWith('@') ? area.slice(1) : null;
  const [type, text]: [Target['type'], string | null] =
    account !== null
      ? ['user', account]
      : ['forum', area === 'tags' ? `#${tagOf(name)}` : WHOLE.has(area) ? 'local' : null];
  if (text === null) return null;
  const parsed = parseMastodonTarget({ type, name: `${text}@${site}` });
  return 'refusal' in parsed ? null : parsed.target;
}

/** A tag as people write it; tags of other scripts are encoded in addresses. */
function tagOf(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
