import { asArray, asText, type WireObject } from '../http/response-parsing.js';
import { goneReason } from '../deleted-content.js';
import type { GoneComment, GonePost, GoneReason } from '../platform.js';
import type { ApiRequest } from './api-client.js';
import { infoRequest } from './listing-request.js';
import { mapComment, mapPost } from './mapper.js';
import { asThing } from './wire.js';

const NO_POST = { id: '', forum: '', permalink: '' };

/** The request for things of one kind by full name, at most 100; its result contains only those that are gone. */
export function goneRequest<T>(
  ids: readonly string[],
  kind: 't1' | 't3',
  readGone: (row: WireObject) => T | null,
): ApiRequest<T[]> {
  return infoRequest(ids, kind === 't3' ? 'posts' : 'comments', (json) => {
    const listing = asThing(json);
    if (listing?.kind !== 'Listing' || !Array.isArray(listing.data.children)) return null;
    return asArray(listing.data.children).flatMap((child) => {
      const thing = asThing(child);
      return thing?.kind === kind ? (readGone(thing.data) ?? []) : [];
    });
  });
}

/** The platform's replacement for a post; null while it still shows the post. */
export function readGonePost(row: WireObject): GonePost | null {
  const post = mapPost(row);
  if (post === null) return null;
  const { id, title, author, selftext, url, hasMedia, mediaUrls } = post;
  const reason = reasonOf(asText(row.removed_by_category), [selftext, title], author);
  return reason && { id, title, author, selftext, url, hasMedia, mediaUrls, reason };
}

/** The platform's replacement for a comment; null while it still shows the comment. */
export function readGoneComment(row: WireObject): GoneComment | null {
  const comment = mapComment(row, { post: NO_POST, postAuthor: null, postCreatedUtc: null, depth: 0 });
  if (comment === null) return null;
  const { id, author, body } = comment;
  const reason = reasonOf(null, [body], author);
  return reason && { id, author, body, reason };
}

/** `category` says who took a post down; the text of a link post does not show it. */
function reasonOf(category: string | null, texts: readonly string[], author: string): GoneReason | null {
  if (category !== null) return category === 'deleted' || category === 'author' ? 'deleted' : 'removed';
  return goneReason(texts, author);
}
