import { createHash } from 'node:crypto';
import { siteId } from '../../common/site-names.js';
import { titleOf } from '../http/first-line.js';
import { asDate, storableText, MAX_TITLE_LENGTH, storableUrl } from '../http/response-parsing.js';
import type { PlatformComment, PlatformPost, TreePost } from '../platform.js';
import { authorNamed, flairOf, linkFields, PLAIN_POST, threadFields } from '../post-fields.js';
import type { KeptFeed } from './kept-feeds.js';
import type { FeedEntry } from './feed-entry.js';

/** Prefix of the ids of entries and comments. */
export const FEED_PREFIX = 'fd_';
/** Hexadecimal digits of the hash in an id. */
const HASH_LENGTH = 32;
/** The parts by which a name is unique beyond its feed: an address, a URN, a `tag:`. */
const WORLDWIDE = /^[a-z][a-z\d+.-]*:\S/i;

/** An entry with the id that it has on a site. */
export interface NamedEntry {
  id: string;
  entry: FeedEntry;
}

/**
 * The entries of a feed with their ids, each once. An id is made of the entry's name or link; a name that is not unique
 * in the world belongs to its feed, and one that the feed gives to several links is none.
 */
export function namedEntries({ content: { entries } }: KeptFeed, site: string, feed: string): NamedEntry[] {
  const links = new Map<string, Set<string | null>>();
  for (const { guid, link } of entries) links.set(guid, (links.get(guid) ?? new Set()).add(link));
  const named = new Map<string, NamedEntry>();
  for (const entry of entries) {
    const { guid, link, title, text } = entry;
    const isName = guid !== '' && links.get(guid)!.size === 1;
    const name = isName ? guid : (link ?? '');
    const key =
      name !== '' ? (WORLDWIDE.test(name) ? name : `${feed} ${name}`) : `${feed} ${guid} ${title} ${text}`;
    if (name === '' && title === '' && text === '') continue;
    const id = idOf(site, key);
    if (!named.has(id)) named.set(id, { id, entry });
  }
  return [...named.values()];
}

/** The id of what has a name on a site. */
function idOf(site: string, name: string): string {
  return siteId(FEED_PREFIX, site, createHash('sha256').update(name).digest('hex').slice(0, HASH_LENGTH));
}

/** An entry as a post of the forum of its feed, whose address is `feed`. */
export function postOf({ id, entry }: NamedEntry, kept: KeptFeed, site: string, feed: URL): PlatformPost {
  const url = storableUrl(entry.link);
  const link = url !== null && URL.canParse(url) ? new URL(url) : null;
  const isOwn = link !== null && link.host === feed.host && /^https?:$/.test(link.protocol);
  const path = isOwn ? `${link.pathname}${link.search}${link.hash}` : `${feed.pathname}${feed.search}`;
  const { language } = kept.content;
  return {
    ...PLAIN_POST,
    id,
    forum: `feed:${feed.href}`,
    title:
      entry.title || titleOf(entry.text) || storableText(url ?? '', MAX_TITLE_LENGTH) || `Entry of ${site}`,
    author: authorNamed(entry.author),
    createdUtc: timeOf(entry, kept),
    permalink: storableText(path, MAX_PATH_LENGTH),
    ...linkFields(url, entry.files),
    postType: url === null ? 'self' : 'link',
    score: 0,
    // A feed that does not count the comments has some, as far as is known.
    numComments: entry.commentCount ?? (entry.comments === null ? 0 : 1),
    selftext: entry.text,
    flair: flairOf([...new Set(entry.tags)]),
    ...(language !== null && { languages: [language] }),
  };
}

const MAX_PATH_LENGTH = 8_000;

/** The comments in the feed of comments of a post, oldest first; answers to one another come after it. */
export function commentsOf(post: TreePost, kept: KeptFeed, site: string): PlatformComment[] {
  const entries = namedEntries(kept, site, kept.address)
    .map((one) => ({ ...one, createdUtc: timeOf(one.entry, kept) }))
    .sort((a, b) => a.createdUtc.getTime() - b.createdUtc.getTime());
  const byName = new Map<string, { id: string; depth: number }>();
  return entries.map(({ id, entry, createdUtc }) => {
    const parent = entry.inReplyTo === null ? undefined : byName.get(entry.inReplyTo);
    const depth = parent === undefined ? 0 : parent.depth + 1;
    if (entry.guid !== '') byName.set(entry.guid, { id, depth });
    return {
      id,
      ...threadFields(post),
      parentId: parent?.id ?? post.id,
      author: authorNamed(entry.author),
      body: entry.text || entry.title,
      score: 0,
      createdUtc,
      depth,
      isSubmitter: false,
    };
  });
}

/** The time of an entry; without one that of the feed. */
function timeOf({ time }: FeedEntry, kept: KeptFeed): Date {
  return asDate((time ?? kept.time) / 1_000) ?? new Date(kept.time);
}
