import {
  asNumber,
  asObject,
  asObjects,
  asText,
  asTexts,
  MAX_BODY_LENGTH,
  storableText,
  visibleName,
  type WireObject,
} from '../http/response-parsing.js';
import { plainText } from '../http/plain-text.js';
import { distinctFiles, type FeedContent, type FeedEntry, fileAt, lineOf } from './feed-entry.js';
import { feedTime } from './feed-time.js';
import { resolved } from './feed-xml.js';

/** A JSON Feed 1.0 or 1.1 from an address; null for other JSON. */
export function readJsonFeed(json: WireObject, address: string): FeedContent | null {
  if (!/jsonfeed\.org/.test(asText(json.version) ?? '') && !Array.isArray(json.items)) return null;
  const title = lineOf(asText(json.title) ?? '');
  const author = authorOf(json) || title;
  return {
    title,
    entries: asObjects(json.items).map((item) => entryOf(item, address, author)),
    next: resolved(asText(json.next_url), address),
    language: asText(json.language),
    time: null,
    lifetimeMs: 0,
    isUnindexed: false,
  };
}

function entryOf(item: WireObject, address: string, feedAuthor: string): FeedEntry {
  const link = resolved(asText(item.url), address);
  const html = asText(item.content_html);
  return {
    guid: asText(item.id) ?? String(asNumber(item.id) ?? ''),
    link: link ?? resolved(asText(item.external_url), address),
    title: lineOf(asText(item.title) ?? ''),
    text:
      html === null
        ? storableText(asText(item.content_text) ?? item.summary, MAX_BODY_LENGTH)
        : plainText(html, MAX_BODY_LENGTH),
    author: authorOf(item) || feedAuthor,
    time: feedTime(asText(item.date_published)) ?? feedTime(asText(item.date_modified)),
    tags: asTexts(item.tags).map(lineOf),
    files: distinctFiles([
      ...asObjects(item.attachments).flatMap((one) =>
        fileAt(resolved(asText(one.url), address), asText(one.mime_type) ?? ''),
      ),
      ...fileAt(resolved(asText(item.image) ?? asText(item.banner_image), address), 'image'),
    ]),
    comments: null,
    commentCount: null,
    inReplyTo: null,
  };
}

function authorOf({ authors, author }: WireObject): string {
  return visibleName((asObjects(authors)[0] ?? asObject(author))?.name);
}
