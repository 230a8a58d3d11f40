import { asCount, visibleName } from '../http/response-parsing.js';
import {
  bodyText,
  distinctFiles,
  type FeedContent,
  type FeedEntry,
  fileAt,
  lineOf,
  titleText,
} from './feed-entry.js';
import { feedTime } from './feed-time.js';
import { baseOf, childOf, childrenOf, resolved, textOf, type XmlElement } from './feed-xml.js';

/** What this service calls itself as the writer of a feed. Its titles are texts, of which nothing is markup. */
const OWN_GENERATOR = 'Workspace Scraping Service';
const MINUTE_MS = 60_000;

/** A feed of RSS 0.9x, 1.0 or 2.0 from an address. */
export function readRss(root: XmlElement, address: string): FeedContent {
  const channel = root.name === 'channel' ? root : (childOf(root, 'channel') ?? root);
  const isOwn = textOf(childOf(channel, 'generator')) === OWN_GENERATOR;
  const author = personIn(
    textOf(childOf(channel, 'itunes:author', 'dc:creator', 'managingeditor', 'author')),
  );
  const title = titleText(textOf(childOf(channel, 'title')));
  return {
    title,
    entries: itemsIn(root).map((item) => entryOf(item, address, author || title, isOwn ? lineOf : titleText)),
    next: linkOf(channel, address, 'next', 'prev-archive'),
    language: textOf(childOf(channel, 'language', 'dc:language')) || null,
    time: feedTime(textOf(childOf(channel, 'lastbuilddate', 'pubdate', 'dc:date'))),
    lifetimeMs: asCount(textOf(childOf(channel, 'ttl'))) * MINUTE_MS,
    isUnindexed: isUnindexed(channel),
  };
}

/** Items stand in the channel or next to it; some that are not ended hold the next one. */
function itemsIn(element: XmlElement): XmlElement[] {
  return childrenOf(element).flatMap((child) =>
    child.name === 'item' || child.name === 'entry' ? [child, ...itemsIn(child)] : itemsIn(child),
  );
}

function entryOf(
  item: XmlElement,
  address: string,
  feedAuthor: string,
  titleOf: (text: string) => string,
): FeedEntry {
  const base = baseOf(item, address);
  const guid = childOf(item, 'guid', 'atom:id');
  const isPermalink = guid !== null && guid.attributes.ispermalink?.toLowerCase() !== 'false';
  const named = isPermalink && /^https?:/i.test(textOf(guid)) ? textOf(guid) : null;
  const content = [
    'content:encoded',
    'xhtml:body',
    'description',
    'atom:content',
    'atom:summary',
    'itunes:summary',
  ];
  const body = content.map((name) => textOf(childOf(item, name))).find((text) => text !== '') ?? '';
  const author = textOf(childOf(item, 'dc:creator', 'author', 'itunes:author'));
  const count = textOf(childOf(item, 'slash:comments', 'thr:total'));
  return {
    guid: textOf(guid) || (item.attributes['rdf:about'] ?? ''),
    link:
      resolved(textOf(childOf(item, 'link')), base) ??
      linkOf(item, address, 'alternate') ??
      resolved(named, base),
    title: titleOf(textOf(childOf(item, 'title', 'dc:title', 'media:title', 'itunes:title'))),
    text: bodyText(body),
    author: visibleName(titleOf(personIn(author))) || feedAuthor,
    time: timeOf(item),
    tags: [...childrenOf(item, 'category'), ...childrenOf(item, 'dc:subject')]
      .map((category) => titleOf(textOf(category)))
      .filter((tag) => tag !== ''),
    files: filesOf(item, base),
    comments: resolved(textOf(childOf(item, 'wfw:commentrss')), base),
    commentCount: /^\d+$/.test(count) ? asCount(count) : null,
    inReplyTo: childOf(item, 'thr:in-reply-to')?.attributes.ref ?? null,
  };
}

function timeOf(item: XmlElement): number | null {
  const names = [
    'pubdate',
    'dc:date',
    'atom:published',
    'published',
    'date',
    'atom:updated',
    'lastbuilddate',
  ];
  const times = names.map((name) => feedTime(textOf(childOf(item, name))));
  return times.find((time) => time !== null) ?? null;
}

/** `mail@example.org (Name)` is a person of this name. */
function personIn(text: string): string {
  const at = text.indexOf(' (');
  const isMail = at > 0 && text.endsWith(')') && text.lastIndexOf('@', at) > 0;
  return isMail ? text.slice(at + 2, -1) : text;
}

/** The address of a link of Atom with one of some relations. */
export function linkOf(element: XmlElement, address: string, ...relations: string[]): string | null {
  const links = [...childrenOf(element, 'atom:link'), ...childrenOf(element, 'link')];
  for (const relation of relations)
    for (const { attributes } of links)
      if ((attributes.rel ?? 'alternate') === relation) {
        const found = resolved(attributes.href, baseOf(element, address));
        if (found !== null) return found;
      }
  return null;
}

/** Files of RSS, of Media RSS and of Atom within an entry; a small picture only where there is nothing else. */
export function filesOf(item: XmlElement, base: string): FeedEntry['files'] {
  const groups = [item, ...childrenOf(item, 'media:group'), ...childrenOf(item, 'media:content')];
  const medium = ({ attributes: { type, medium = '' } }: XmlElement): string => type ?? medium;
  const files = [
    ...childrenOf(item, 'enclosure').flatMap((one) =>
      fileAt(resolved(one.attributes.url, base), one.attributes.type ?? ''),
    ),
    ...[...childrenOf(item, 'atom:link'), ...childrenOf(item, 'link')]
      .filter(({ attributes }) => attributes.rel === 'enclosure')
      .flatMap((one) => fileAt(resolved(one.attributes.href, base), one.attributes.type ?? '')),
    ...groups
      .flatMap((group) => childrenOf(group, 'media:content'))
      .flatMap((one) => fileAt(resolved(one.attributes.url, base), medium(one))),
  ];
  const small = groups
    .flatMap((group) => childrenOf(group, 'media:thumbnail'))
    .flatMap((one) => fileAt(resolved(one.attributes.url, base), 'image'));
  return distinctFiles(files.length > 0 ? files : small);
}

/** Whether a feed has the mark by which pages ask programs not to index them. */
export function isUnindexed(channel: XmlElement): boolean {
  return childrenOf(channel).some(
    ({ name, attributes }) =>
      name === 'xhtml:meta' &&
      attributes.name?.toLowerCase() === 'robots' &&
      /\b(?:noindex|none)\b/i.test(attributes.content ?? ''),
  );
}
