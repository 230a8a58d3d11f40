import { percentDecoded } from '../../common/strings.js';
import { parseSite } from '../../common/site-names.js';
import type { Target } from '../platform.js';
import { parseMastodonTarget } from './mastodon-target.js';

/** Pages that show the whole instance. */
const WHOLE: ReadonlySet<string> = new Set([
  '',
  'about',
  'explore',
  'home',
  'local',
  'main',
  'public',
  'directory',
]);

/** The target that an address names if its site is a Mastodon instance; null for one that names none. */
export function readMastodonAddress({ host, pathname }: URL): Target | null {
  const site = parseSite(host);
  // Older versions and their view with columns have the same pages below another path.
  const path = pathname.replace(/^\/(?:web|deck)(?=\/|$)/, '').replace(/^\/timelines(?=\/)/, '');
  const [, area = '', name = ''] = path.split('/').map(percentDecoded);
  if (site === null) return null;
  const account = area === 'users' ? name : area.startsWith('@') ? area.slice(1) : null;
  const [type, text]: [Target['type'], string | null] =
    account !== null
      ? ['user', account]
      : ['forum', area === 'tags' || area === 'tag' ? `#${name}` : WHOLE.has(area) ? 'local' : null];
  if (text === null) return null;
  const parsed = parseMastodonTarget({ type, name: `${text}@${site}` });
  return 'refusal' in parsed ? null : parsed.target;
}
