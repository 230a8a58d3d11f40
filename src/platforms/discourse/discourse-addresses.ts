import { percentDecoded } from '../../common/strings.js';
import { parseSite } from '../../common/site-names.js';
import { PlatformError, type Target } from '../platform.js';
import { parseDiscourseTarget } from './discourse-target.js';

/** The subject of an address whose site is a Discourse forum: a target, or a topic or post, whose category is the target. */
export type DiscourseAddress = { site: string } & (
  { target: Target } | { topic: string } | { post: string } | { refusal: PlatformError }
);

/** Pages that list all topics. */
const ALL_TOPICS: ReadonlySet<string> = new Set([
  '',
  'latest',
  'new',
  'unread',
  'hot',
  'categories',
  'posts',
]);
/** Pages of a forum that list no topics, or only some that are no target. */
const OTHER_PAGES: ReadonlySet<string> = new Set(['search', 'tags', 'g', 'groups', 'badges', 'about', 'faq']);
const NUMBER = /^\d{1,12}$/;

/** Reads an address below a path of its site; null for one that names none of these. */
export function readDiscourseAddress({ host, pathname }: URL, below: string): DiscourseAddress | null {
  const site = parseSite(host);
  if (site === null || !`${pathname}/`.startsWith(`${below}/`)) return null;
  const path = pathname
    .slice(below.length)
    .replace(/^\//, '')
    .replace(/\/$/, '')
    .replace(/\.(?:json|rss)$/, '');
  const [area = '', ...rest] = path.split('/').map(percentDecoded);
  const [first = '', second = ''] = rest;
  const targetAt = (type: Target['type'], name: string): DiscourseAddress | null => {
    const parsed = parseDiscourseTarget({ type, name: `${site}${name}` });
    return 'refusal' in parsed ? null : { site, target: parsed.target };
  };
  if (ALL_TOPICS.has(path)) return targetAt('forum', '');
  switch (area) {
    case 't': {
      // `/t/slug/TOPIC/POST` and `/t/TOPIC/POST`; a slug can be a number.
      const topic = NUMBER.test(second) && rest.length > 2 ? second : rest.find((part) => NUMBER.test(part));
      return topic === undefined ? null : { site, topic };
    }
    case 'p':
    case 'posts':
      return NUMBER.test(first) ? { site, post: first } : null;
    case 'top':
      return targetAt('forum', '/top');
    case 'u':
    case 'users':
      return first === '' ? null : targetAt('user', `/u/${first}`);
    case 'tag':
      return first === '' ? null : targetAt('forum', `/tag/${first}`);
    case 'tags':
      // Older forums had their tags here, some still have those of a category.
      if (rest.length === 1) return targetAt('forum', `/tag/${first}`);
      break;
    case 'c':
      // Behind the category stands how it is shown: `/none`, `/l/latest`.
      return targetAt(
        'forum',
        `/${[area, ...rest].join('/').replace(/(?:\/(?:none|all))?(?:\/l\/[a-z]+)?$/, '')}`,
      );
  }
  if (!OTHER_PAGES.has(area)) return null;
  const forms = `discourse:${site}, discourse:${site}/c/CATEGORY, discourse:${site}/tag/TAG`;
  const refusal = new PlatformError(
    'target_not_found',
    `/${path} lists nothing that is a target. Write ${forms}`,
  );
  return { site, refusal };
}
