import { decodedName } from '../../common/strings.js';
import { parseSite } from '../../common/site-names.js';
import { parsedAs } from '../sites/site-targets.js';
import type { Target } from '../platform.js';
import type { ParsedTarget } from '../platform-definition.js';

/** The subject of a target of Discourse. */
export type DiscourseTarget = { site: string } & (
  | { kind: 'latest' }
  | { kind: 'top' }
  | { kind: 'category'; slugs: string[]; id: number | null }
  | { kind: 'tag'; tag: string }
  | { kind: 'user'; name: string }
);

const NAME = /^[^/?#\s]{1,100}$/;

/** Parses a target without its prefix; null for another form. */
export function readDiscourseTarget({ name }: Pick<Target, 'name'>): DiscourseTarget | null {
  const [host = '', ...given] = name
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/\/$/, '')
    .split('/');
  const site = parseSite(host);
  const path = given.map(decodedName);
  if (site === null || !path.every((part) => NAME.test(part))) return null;
  const [area, ...parts] = path;
  const [part = ''] = parts;
  if (area === undefined || (area === 'latest' && parts.length === 0)) return { site, kind: 'latest' };
  if (area === 'top' && parts.length === 0) return { site, kind: 'top' };
  if (area === 'tag' && parts.length === 1) return { site, kind: 'tag', tag: part };
  if (area === 'u' && parts.length === 1) return { site, kind: 'user', name: part };
  if (area !== 'c' || parts.length === 0 || parts.length > 4) return null;
  const hasId = /^\d{1,10}$/.test(parts.at(-1)!);
  const slugs = (hasId ? parts.slice(0, -1) : parts).map((slug) => slug.toLowerCase());
  return { site, kind: 'category', slugs, id: hasId ? Number(parts.at(-1)) : null };
}

const FORMS =
  'discourse:SITE, discourse:SITE/top, discourse:SITE/c/CATEGORY, discourse:SITE/tag/TAG or, with target_type "user", discourse:SITE/u/NAME';

/** The normal form of a target, or why it cannot exist. */
export function parseDiscourseTarget(target: Target): ParsedTarget {
  const parsed = readDiscourseTarget(target);
  const shown = `discourse:${target.name}`;
  if (parsed === null) return parsedAs('discourse', target, null, FORMS);
  if ((parsed.kind === 'user') !== (target.type === 'user'))
    return {
      refusal:
        parsed.kind === 'user'
          ? `"${shown}" is a user: send target_type "user"`
          : `"${shown}" is a forum: send target_type "forum", or write discourse:SITE/u/NAME`,
    };
  return { target: { ...target, name: `${parsed.site}${pathOfTarget(parsed)}` } };
}

/** The path of a target on its site. */
function pathOfTarget(target: DiscourseTarget): string {
  switch (target.kind) {
    case 'latest':
      return '';
    case 'top':
      return '/top';
    case 'category':
      return `/c/${[...target.slugs, ...(target.id === null ? [] : [target.id])].join('/')}`;
    case 'tag':
      return `/tag/${target.tag}`;
    case 'user':
      return `/u/${target.name}`;
  }
}

/** The target as people write it: `discourse:meta.example.org/c/support`. */
export function nameOfDiscourseTarget(target: DiscourseTarget): string {
  return `discourse:${target.site}${pathOfTarget(target)}`;
}

/** The forum of topics with this name: all of a site without a known category, or a category. */
export function parseDiscourseForum(name: string): { name: string } | { refusal: string } {
  const parsed = readDiscourseTarget({ name });
  if (parsed?.kind === 'latest') return { name: parsed.site };
  if (parsed?.kind === 'category' && parsed.slugs.length > 0)
    return { name: `${parsed.site}/c/${parsed.slugs.join('/')}` };
  return {
    refusal: `No topic has the forum "discourse:${name}". Topics of Discourse have their category: discourse:SITE/c/CATEGORY, or discourse:SITE/c/PARENT/CATEGORY`,
  };
}
