import { plainText } from '../http/plain-text.js';
import {
  asCount,
  MAX_BODY_LENGTH,
  MAX_TITLE_LENGTH,
  storableText,
  visibleName,
} from '../http/response-parsing.js';
import { distinctFiles, type FeedContent, type FeedEntry, lineOf } from './feed-entry.js';
import { feedTime } from './feed-time.js';
import { baseOf, childOf, childrenOf, markupOf, textOf, type XmlElement } from './feed-xml.js';
import { filesOf, isUnindexed, linkOf } from './rss.js';

/** A feed of Atom 1.0 or 0.3 from an address. */
export function readAtom(root: XmlElement, address: string): FeedContent {
  const title = lineOf(plain(find(root, 'title'), MAX_TITLE_LENGTH));
  const author = authorOf(root) || title;
  return {
    title,
    entries: entriesIn(root).map((entry) => entryOf(entry, address, author)),
    next: linkOf(root, address, 'next', 'prev-archive'),
    language: root.attributes['xml:lang'] ?? null,
    time: feedTime(textOf(find(root, 'updated', 'modified'))),
    lifetimeMs: 0,
    isUnindexed: isUnindexed(root),
  };
}

/** The entries of a feed, in its order; some that are not ended hold the next ones. */
function entriesIn(element: XmlElement): XmlElement[] {
  return childrenOf(element).flatMap((child) =>
    child.name === 'atom:entry' || child.name === 'entry' ? [child, ...entriesIn(child)] : [],
  );
}

/** The first element of one of some names, with the namespace of Atom or without one. */
function find(element: XmlElement | null, ...names: string[]): XmlElement | null {
  return childOf(element, ...names.flatMap((name) => [`atom:${name}`, name]));
}

function entryOf(entry: XmlElement, address: string, feedAuthor: string): FeedEntry {
  const base = baseOf(entry, address);
  const replies = [...childrenOf(entry, 'atom:link'), ...childrenOf(entry, 'link')].find(
    ({ attributes: { rel, type } }) => rel === 'replies' && /\b(?:atom|rss)\+xml/.test(type ?? ''),
  );
  const count =
    textOf(childOf(entry, 'thr:total', 'slash:comments')) || (replies?.attributes['thr:count'] ?? '');
  const texts = ['content', 'summary'].map((name) => plain(find(entry, name), MAX_BODY_LENGTH));
  const described = textOf(childOf(childOf(entry, 'media:group') ?? entry, 'media:description'));
  const comments = textOf(childOf(entry, 'wfw:commentrss')) || (replies?.attributes.href ?? '');
  const times = ['published', 'issued', 'created', 'updated', 'modified'].map((name) =>
    feedTime(textOf(find(entry, name))),
  );
  return {
    guid: textOf(find(entry, 'id')),
    link: linkOf(entry, address, 'alternate', 'related', 'self'),
    title: lineOf(plain(find(entry, 'title'), MAX_TITLE_LENGTH)),
    text: texts.find((text) => text !== '') ?? storableText(described, MAX_BODY_LENGTH),
    author: authorOf(entry) || authorOf(find(entry, 'source')) || feedAuthor,
    time: times.find((time) => time !== null) ?? null,
    tags: [...childrenOf(entry, 'atom:category'), ...childrenOf(entry, 'category')]
      .map((one) => lineOf(one.attributes.label || one.attributes.term || textOf(one)))
      .filter((tag) => tag !== ''),
    files: distinctFiles(filesOf(entry, base)),
    comments: comments !== '' && URL.canParse(comments, base) ? new URL(comments, base).href : null,
    commentCount: /^\d+$/.test(count) ? asCount(count) : null,
    inReplyTo: childOf(entry, 'thr:in-reply-to')?.attributes.ref ?? null,
  };
}

function authorOf(element: XmlElement | null): string {
  const author = find(element, 'author') ?? childOf(element, 'dc:creator');
  return visibleName(textOf(find(author, 'name') ?? (author?.name.startsWith('dc:') ? author : null)));
}

/** The plain text of a construct, by its type: text, HTML as a text, or elements of HTML. */
function plain(construct: XmlElement | null, maxLength: number): string {
  if (construct === null) return '';
  const { type = 'text', mode } = construct.attributes;
  if (type === 'xhtml' || type === 'application/xhtml+xml' || (mode === 'xml' && type === 'text/html'))
    return plainText(markupOf(construct), maxLength);
  if (/html/i.test(type)) return plainText(textOf(construct), maxLength);
  return /^text/i.test(type) || type === '' ? storableText(textOf(construct), maxLength) : '';
}
