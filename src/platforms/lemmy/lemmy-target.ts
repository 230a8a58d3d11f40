import { parsedAs, readNameOfSite } from '../sites/site-targets.js';
import type { Target } from '../platform.js';
import type { ParsedTarget } from '../platform-definition.js';

/** The subject of a target of Lemmy. */
export type LemmyTarget = { site: string } & (
  { kind: 'all' | 'local' } | { kind: 'community' | 'user'; name: string }
);

/** Parses a target without its prefix; null for another form. */
export function readLemmyTarget(target: Target): LemmyTarget | null {
  const read = readNameOfSite(target);
  if (read === null) return null;
  const { site, name } = read;
  if (target.type === 'user') return { site, kind: 'user', name };
  const kind = name.toLowerCase();
  return kind === 'all' || kind === 'local' ? { site, kind } : { site, kind: 'community', name };
}

/** A target as the subject of a request, for messages. */
export function describeTarget(target: LemmyTarget): string {
  const name = 'name' in target ? target.name : target.kind;
  return `the ${target.kind === 'user' ? 'user' : 'forum'} "lemmy:${name}@${target.site}"`;
}

const FORMS =
  'lemmy:COMMUNITY@SITE, lemmy:all@SITE, lemmy:local@SITE or, with target_type "user", lemmy:NAME@SITE';

/** The normal form of a target, or why it cannot exist. */
export function parseLemmyTarget(target: Target): ParsedTarget {
  const read = readNameOfSite(target);
  return parsedAs('lemmy', target, read && `${read.name}@${read.site}`, FORMS);
}

/** The forum of posts with this name: a community with its home, on whatever instance it was read. */
export function parseLemmyForum(name: string): { name: string } | { refusal: string } {
  const read = readLemmyTarget({ type: 'forum', name });
  if (read?.kind === 'community')
    return { name: read.name.includes('@') ? read.name : `${read.name}@${read.site}` };
  return {
    refusal: `No post has the forum "lemmy:${name}". Posts of Lemmy have their community with its home: lemmy:COMMUNITY@HOME`,
  };
}
