import { parseSite } from '../../common/site-names.js';
import { decodedName } from '../../common/strings.js';
import type { Target } from '../platform.js';
import type { ParsedTarget } from '../platform-definition.js';
import { parsedAs } from '../sites/site-targets.js';

/** The subject of a target of Flarum: a whole site, or a tag by the name in its address. */
export interface FlarumTarget {
  site: string;
  tag: string | null;
}

const FORMS = 'flarum:SITE or flarum:SITE/t/TAG';

/** Parses a target without its prefix; null for another form. */
export function readFlarumTarget({ type, name }: Target): FlarumTarget | null {
  const [, host = '', given = null] =
    /^(?:https?:\/\/)?([^/]+)(?:\/t\/([^/?#\s]{1,200}))?\/?$/i.exec(name.trim()) ?? [];
  const site = parseSite(host);
  const tag = given && decodedName(given).toLowerCase();
  return site === null || type === 'user' || (tag !== null && /[/?#\s]/.test(tag)) ? null : { site, tag };
}

/** The name of a target without its prefix. */
export function nameOfFlarum({ site, tag }: FlarumTarget): string {
  return tag === null ? site : `${site}/t/${tag}`;
}

/** The normal form of a target, or why it cannot exist. */
export function parseFlarumTarget(target: Target): ParsedTarget {
  const read = readFlarumTarget(target);
  return parsedAs('flarum', target, read && nameOfFlarum(read), FORMS);
}

/** The forum of discussions with this name: their site, since a discussion has any number of tags. */
export function parseFlarumForum(name: string): { name: string } | { refusal: string } {
  const read = readFlarumTarget({ type: 'forum', name });
  return read?.tag === null
    ? { name: read.site }
    : {
        refusal: `No discussion has the forum "flarum:${name}". Discussions of Flarum have their site: flarum:SITE; filter by tag with \`flair\``,
      };
}

/** The target at an address whose site is a Flarum forum; null for one that lists no discussions and is none. */
export function readFlarumAddress({ host, pathname }: URL, below: string): Target | null {
  const site = parseSite(host);
  if (site === null || !`${pathname}/`.startsWith(`${below}/`)) return null;
  const path = pathname.slice(below.length);
  const [, tag] = /^\/t\/([^/]+)/.exec(path) ?? [];
  if (tag === undefined && !/^\/(?:|all|tags|following|d\/\d+(?:[-/].*)?)$/.test(path)) return null;
  const parsed = parseFlarumTarget({ type: 'forum', name: tag === undefined ? site : `${site}/t/${tag}` });
  return 'refusal' in parsed ? null : parsed.target;
}
