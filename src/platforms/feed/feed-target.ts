import { parseSite } from '../../common/site-names.js';
import type { Target } from '../platform.js';
import type { ParsedTarget } from '../platform-definition.js';

/** A target with its prefix must fit into the field of a job. */
const MAX_LENGTH = 250;

/**
 * The address that a target names, without a fragment and a password, with `https:` where it names no protocol; null for
 * another text.
 */
export function readFeedAddress(text: string): URL | null {
  const bare = text.trim().replace(/^feed:(?:\/\/)?/i, '');
  const written = /^[a-z][a-z\d+.-]*:\/\//i.test(bare) ? bare : `https://${bare}`;
  const url = URL.canParse(written) ? new URL(written) : null;
  const site = url === null || !/^https?:$/.test(url.protocol) ? null : parseSite(url.host);
  if (url === null || site === null || !/[.:]/.test(site) || url.username !== '' || url.password !== '')
    return null;
  url.hash = '';
  return url.href.length > MAX_LENGTH ? null : url;
}

/** The normal form of a target, or why it cannot exist. */
export function parseFeedTarget(target: Target): ParsedTarget {
  const address = target.type === 'forum' ? readFeedAddress(target.name) : null;
  return address === null
    ? {
        refusal: `There is no ${target.type} "feed:${target.name}". Write feed:ADDRESS, such as feed:https://blog.example/feed.xml, with at most ${MAX_LENGTH} characters; it holds a forum`,
      }
    : { target: { type: 'forum', name: address.href } };
}

/** The forum of entries with this name: the address of their feed. */
export function parseFeedForum(name: string): { name: string } | { refusal: string } {
  const parsed = parseFeedTarget({ type: 'forum', name });
  return 'refusal' in parsed ? parsed : { name: parsed.target.name };
}
