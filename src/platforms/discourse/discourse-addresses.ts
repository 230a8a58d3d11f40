import { parseSite } from '../../common/site-names.js';
import type { Target } from '../platform.js';
import { parseDiscourseTarget } from './discourse-target.js';

/** What an address names if its site is a Discourse forum: a target, or a topic, of which the category is the target. */
export type DiscourseAddress = { site: string } & ({ target: Target } | { topic: string });

/** Pages that list all topics. */
const ALL_TOPICS: ReadonlySet<string> = new Set(['', 'latest', 'new', 'hot', 'categories']);

/** Reads an address; null for one that names none of these. */
export function readDiscourseAddress({ host, pathname }: URL): DiscourseAddress | null {
  const site = parseSite(host);
  const path = pathname
    .replace(/^\//, '')
    .replace(/\/$/, '')
    .replace(/\.json$/, '');
  if (site === null) return null;
  const [area = '', ...rest] = path.split('/');
  if (area === 't') {
    // `/t/slug/TOPIC/POST` and `/t/TOPIC/POST`.
    const topic = rest.find((part) => /^\d{1,12}$/.test(part));
    return topic === undefined ? null : { site, topic };
  }
  const targetAt = (type: Target['type'], name: string): DiscourseAddress | null => {
    const parsed = parseDiscourseTarget({ type, name });
    return 'refusal' in parsed ? null : { site, target: parsed.target };
  };
  if (ALL_TOPICS.has(path)) return targetAt('forum', site);
  if (path === 'top') return targetAt('forum', `${site}/top`);
  if (area === 'u' && rest[0] !== undefined) return targetAt('user', `${site}/u/${rest[0]}`);
  if (area === 'tag' && rest[0] !== undefined) return targetAt('forum', `${site}/tag/${rest[0]}`);
  // Behind the category stands how it is shown: `/l/latest`, `/none`.
  return area === 'c' ? targetAt('forum', `${site}/${path.replace(/\/(?:l\/[a-z]+|none|all)$/, '')}`) : null;
}
