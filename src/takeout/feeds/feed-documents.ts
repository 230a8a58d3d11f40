import { beginningOf } from '../../common/strings.js';
import { createHash } from 'node:crypto';
import { Feed } from 'feed';

/** Forms of a feed, each with the ending of its address and its media type. */
export const FEED_FORMS = {
  atom: 'application/atom+xml; charset=utf-8',
  json: 'application/feed+json; charset=utf-8',
  rss: 'application/rss+xml; charset=utf-8',
} as const;
export type FeedForm = keyof typeof FEED_FORMS;

/** Fields that all entries of a feed share. */
export interface FeedHead {
  workspaceId: string;
  searchId: string;
  title: string;
  /** Secret address of the feed itself. */
  url: string;
  /** Address of the service, which readers show and share as that of the feed's site. */
  site: string;
}

/** A post or comment in a feed. */
export interface FeedItem {
  /** Platform id. */
  id: string;
  title: string;
  body: string;
  author: string;
  forum: string;
  createdUtc: Date;
  /** Address on its platform. */
  link: string;
}

/** Maximum number of characters of a body and of a title. */
const MAX_BODY = 10_000;
const MAX_TITLE = 300;
/** Characters that XML 1.0 cannot contain, other control characters, and unpaired surrogates. */
// eslint-disable-next-line no-control-regex -- Control characters are what is removed.
const UNUSABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]|\p{Surrogate}/gu;
const HTML: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const plain = (text: string, most: number): string => {
  const usable = text.replace(UNUSABLE, '');
  return usable.length <= most ? usable : `${beginningOf(usable, most - 1)}…`;
};
/** The feed package takes `&amp;` for `&` in texts, so that only this keeps both. */
const xmlText = (text: string): string => text.replaceAll('&', '&amp;');
/** The feed package divides only the first `]]>` of a text in CDATA. */
function inCdata(text: string): string {
  const rest = text.indexOf(']]>') + ']]>'.length;
  return text.slice(0, rest) + text.slice(rest).replaceAll(']]>', ']]]]><![CDATA[>');
}
const html = (text: string): string => text.replace(/[&<>"']/g, (character) => HTML[character]!);

/** An id that stays the same for as long as the record has its platform id, and that no other record has. */
function uuidOf(...parts: string[]): string {
  const hash = createHash('sha256').update(parts.join('\0')).digest();
  hash[6] = (hash[6]! & 0x0f) | 0x80;
  hash[8] = (hash[8]! & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  const fields = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)];
  return `urn:uuid:${fields.join('-')}`;
}

const titleOf = (text: string): string => plain(text, MAX_TITLE).trim() || '(untitled)';
const authorOf = (item: FeedItem): string => plain(item.author, MAX_TITLE).trim() || '(unknown)';
const creatorOf = (item: FeedItem) => ({
  name: 'dc:creator',
  objects: {
    _attributes: { 'xmlns:dc': 'http://purl.org/dc/elements/1.1/' },
    _text: xmlText(authorOf(item)),
  },
});
const contentOf = (item: FeedItem): string => html(plain(item.body, MAX_BODY)).replaceAll('\n', '<br>');
const descriptionOf = ({ title }: FeedHead): string => titleOf(`Newest results of the search ${title}`);

/** The text of a feed. Titles of entries are HTML in Atom, otherwise text; nothing of a record is interpreted as markup. */
export function feedDocument(form: FeedForm, head: FeedHead, items: readonly FeedItem[]): string {
  return form === 'json' ? jsonDocument(head, items) : xmlDocument(form, head, items);
}

function xmlDocument(form: 'atom' | 'rss', head: FeedHead, items: readonly FeedItem[]): string {
  const { workspaceId, searchId, url } = head;
  const newest = items.reduce((latest, { createdUtc }) => Math.max(latest, createdUtc.getTime()), 0);
  const feed = new Feed({
    id: uuidOf(workspaceId, searchId),
    title: xmlText(titleOf(head.title)),
    description: xmlText(descriptionOf(head)),
    link: head.site,
    feedLinks: { [form]: url },
    updated: new Date(newest),
    copyright: '',
    generator: 'Workspace Scraping Service',
  });
  for (const item of items) {
    const forum = plain(item.forum, MAX_TITLE);
    const content = contentOf(item);
    feed.addItem({
      id: uuidOf(workspaceId, item.id),
      title: form === 'atom' ? html(titleOf(item.title)) : inCdata(titleOf(item.title)),
      link: item.link,
      date: item.createdUtc,
      published: item.createdUtc,
      author: [{ name: xmlText(authorOf(item)) }],
      // In RSS, the package writes only authors with an address of mail.
      ...(form === 'rss' && { extensions: [creatorOf(item)] }),
      // The package writes attributes, in which Atom has the forum, as they are.
      category: [form === 'atom' ? { term: html(forum) } : { name: xmlText(forum) }],
      ...(content !== '' && { content }),
    });
  }
  return form === 'atom' ? feed.atom1() : feed.rss2();
}

/** JSON Feed 1.1. */
function jsonDocument(head: FeedHead, items: readonly FeedItem[]): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: titleOf(head.title),
    description: descriptionOf(head),
    home_page_url: head.site,
    feed_url: head.url,
    items: items.map((item) => ({
      id: uuidOf(head.workspaceId, item.id),
      url: item.link,
      title: titleOf(item.title),
      content_html: contentOf(item),
      date_published: item.createdUtc.toISOString(),
      date_modified: item.createdUtc.toISOString(),
      authors: [{ name: authorOf(item) }],
      tags: [plain(item.forum, MAX_TITLE)],
    })),
  });
}
