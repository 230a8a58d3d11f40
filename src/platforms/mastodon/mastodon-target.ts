import { parsedAs, readNameOfSite } from '../sites/site-targets.js';
import type { Target } from '../platform.js';
import type { ParsedTarget } from '../platform-definition.js';

/** The subject of a target of Mastodon. */
export type MastodonTarget = { site: string } & ({ kind: 'local' } | { kind: 'tag' | 'user'; name: string });

/** Parses a target without its prefix; null for another form. */
export function readMastodonTarget(target: Target): MastodonTarget | null {
  const isTag = target.name.trim().startsWith('#');
  const read = readNameOfSite({ name: target.name.trim().replace(/^#/, '') });
  if (read === null || (isTag && (target.type === 'user' || read.name.includes('@')))) return null;
  const { site, name } = read;
  if (target.type === 'user') return { site, kind: 'user', name };
  if (isTag) return { site, kind: 'tag', name };
  return name.toLowerCase() === 'local' ? { site, kind: 'local' } : null;
}

const FORMS = 'mastodon:#TOPIC@SITE, mastodon:local@SITE or, with target_type "user", mastodon:NAME@SITE';

/** The normal form of a target, or why it cannot exist. */
export function parseMastodonTarget(target: Target): ParsedTarget {
  const read = readMastodonTarget(target);
  return parsedAs('mastodon', target, read && nameOfMastodonTarget(read), FORMS);
}

/** The target without its prefix: `#topic@social.example`. */
export function nameOfMastodonTarget(target: MastodonTarget): string {
  if (target.kind === 'local') return `local@${target.site}`;
  return `${target.kind === 'tag' ? '#' : ''}${target.name}@${target.site}`;
}
