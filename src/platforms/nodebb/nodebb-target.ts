import { parseSite } from '../../common/site-names.js';
import type { Target } from '../platform.js';
import type { ParsedTarget } from '../platform-definition.js';
import { parsedAs } from '../sites/site-targets.js';

/** The subject of a target of NodeBB: a whole site, or a category by its number. */
export interface NodebbTarget {
  site: string;
  category: string | null;
}

const FORMS = 'nodebb:SITE or nodebb:SITE/category/N';

/** Parses a target without its prefix; null for another form. */
export function readNodebbTarget({ type, name }: Target): NodebbTarget | null {
  const [, host = '', category = null] =
    /^(?:https?:\/\/)?([^/]+)(?:\/category\/(\d{1,10})(?:\/[^/\s]*)?)?\/?$/i.exec(name.trim()) ?? [];
  const site = parseSite(host);
  return site === null || type === 'user' ? null : { site, category: category && String(Number(category)) };
}

/** The name of a target without its prefix. */
export function nameOfNodebb({ site, category }: NodebbTarget): string {
  return category === null ? site : `${site}/category/${category}`;
}

/** The normal form of a target, or why it cannot exist. */
export function parseNodebbTarget(target: Target): ParsedTarget {
  const read = readNodebbTarget(target);
  return parsedAs('nodebb', target, read && nameOfNodebb(read), FORMS);
}

/** The forum of topics with this name: a category, or a site where the category is not known. */
export function parseNodebbForum(name: string): { name: string } | { refusal: string } {
  const read = readNodebbTarget({ type: 'forum', name });
  return read
    ? { name: nameOfNodebb(read) }
    : {
        refusal: `No topic has the forum "nodebb:${name}". Topics of NodeBB have their category: nodebb:SITE/category/N`,
      };
}

/** The subject of an address whose site is a NodeBB forum; null for one that names neither topics nor a topic. */
export function readNodebbAddress(
  { host, pathname }: URL,
  below: string,
): { site: string; category: string | null } | { site: string; topic: string } | null {
  const site = parseSite(host);
  if (site === null || !`${pathname}/`.startsWith(`${below}/`)) return null;
  const path = pathname.slice(below.length).replace(/^\/api(?=\/)/, '');
  const [, area = '', number] = /^\/(category|topic)\/(\d{1,15})(?:\/|$)/.exec(path) ?? [];
  if (area === 'topic') return { site, topic: number! };
  const isWhole = /^\/(?:|recent|categories|popular|unread|top)\/?$/.test(path);
  return number === undefined && !isWhole ? null : { site, category: number ?? null };
}
