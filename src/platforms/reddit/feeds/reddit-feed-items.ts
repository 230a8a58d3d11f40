import { decodeHTMLStrict } from 'entities';
import { feedTime } from '../../feed/feed-time.js';
import { childOf, childrenOf, readXml, RefusedXml, textOf, type XmlElement } from '../../feed/feed-xml.js';
import { plainText } from '../../http/plain-text.js';
import { MAX_BODY_LENGTH, type WireObject } from '../../http/response-parsing.js';
import { pathOf } from '../mapper.js';
import { asFullName } from '../wire.js';

/** A post or comment of a feed, as a row of Reddit's API that lacks what feeds do not hold. */
export interface FeedItem {
  /** `t3_…` of a post, `t1_…` of a comment. */
  id: string;
  /** Null for an entry of which nothing else can be read. */
  row: WireObject | null;
  /** The post that a comment belongs to; a post's own id. */
  postId: string | null;
  /** Epoch milliseconds. */
  time: number;
}

/** Between these comments in the HTML of an entry stands what its author wrote. */
const WRITTEN = ['<!-- SC_OFF -->', '<!-- SC_ON -->'] as const;
/** The address that a post links, within the part that Reddit adds. */
const LINK = /<a href="([^"<>]*)">\[link\]<\/a>/;
const COMMENTS_PATH = /^\/(?:r|u|user)\/[^/]+\/comments\/([0-9a-z]{1,16})\//i;

/**
 * The posts and comments of one of Reddit's Atom feeds, in its order. Entries of other things, such as the forum itself,
 * are left out. Null for a document that is no such feed.
 */
export function readFeedItems(document: string): FeedItem[] | null {
  const root = elementOf(document);
  if (root?.name !== 'atom:feed' && root?.name !== 'feed') return null;
  return [...childrenOf(root, 'atom:entry'), ...childrenOf(root, 'entry')].flatMap(
    (entry) => itemOf(entry) ?? [],
  );
}

function elementOf(document: string): XmlElement | null {
  try {
    return readXml(document);
  } catch (error) {
    if (error instanceof RefusedXml) return null;
    throw error;
  }
}

function itemOf(entry: XmlElement): FeedItem | null {
  const name = textOf(find(entry, 'id'));
  const kind = name.startsWith('t1_') ? 't1' : 't3';
  const id = name.startsWith(`${kind}_`) ? asFullName(kind, name) : null;
  if (id === null) return null;
  const permalink = pathOf(find(entry, 'link')?.attributes.href);
  const time = feedTime(textOf(find(entry, 'published') ?? find(entry, 'updated')));
  const postId = kind === 't3' ? id : asFullName('t3', COMMENTS_PATH.exec(permalink ?? '')?.[1]);
  if (time === null || permalink === null) return { id, row: null, postId, time: time ?? 0 };
  const row = {
    name: id,
    subreddit: find(entry, 'category')?.attributes.term,
    author: textOf(find(find(entry, 'author'), 'name')).replace(/^\/?u\//, ''),
    created_utc: time / 1_000,
    permalink,
  };
  const html = textOf(find(entry, 'content'));
  const own = kind === 't3' ? postFields(entry, html, permalink) : commentFields(html);
  return { id, row: { ...row, ...own }, postId, time };
}

/** What only posts have. Posts without a link of their own link themselves. */
function postFields(entry: XmlElement, html: string, permalink: string): WireObject {
  const { text, added } = parted(html);
  const url = decodeHTMLStrict(LINK.exec(added)?.[1] ?? '');
  const isOwn = url === '' || pathOf(url) === permalink;
  const picture = childOf(entry, 'media:thumbnail')?.attributes.url;
  return {
    title: textOf(find(entry, 'title')),
    selftext: text,
    url: isOwn ? find(entry, 'link')?.attributes.href : url,
    is_self: isOwn,
    is_gallery: /^https:\/\/www\.reddit\.com\/gallery\//.test(url),
    domain: URL.canParse(url) ? new URL(url).hostname : undefined,
    preview: picture === undefined ? undefined : { images: [{ source: { url: picture } }] },
  };
}

const commentFields = (html: string): WireObject => ({ body: parted(html).text });

/** The plain text of what the author wrote, and the HTML that Reddit adds after it. */
function parted(html: string): { text: string; added: string } {
  const [begin, end] = WRITTEN;
  const start = html.indexOf(begin);
  const stop = html.lastIndexOf(end);
  if (start < 0 || stop < start) return { text: '', added: html };
  return {
    text: plainText(html.slice(start + begin.length, stop), MAX_BODY_LENGTH),
    added: html.slice(stop + end.length),
  };
}

/** The first element of a name, with the namespace of Atom or without one. */
const find = (element: XmlElement | null, name: string): XmlElement | null =>
  childOf(element, `atom:${name}`, name);
