import { plainText } from '../http/plain-text.js';
import { asArray, asObject, asText, MAX_BODY_LENGTH, type WireObject } from '../http/response-parsing.js';
import { DELETED } from '../platform.js';
import { type PolledPage, textOfPost } from '../polling/polled-source.js';
import type { StreamText } from '../stream-batch.js';
import { authorOf, createdAt, forumOf, itemId, itemNumber, mapPost } from './hackernews-items.js';
import { afterHits } from './hackernews-search.js';

/** Hits of one request: the most that the search gives. */
const PAGE_SIZE = 1_000;

/** The search for stories and comments of a second or earlier (null: the newest), as far back as `since`. */
export const searchForNew = (before: number | null, since: Date): Record<string, string> => ({
  tags: '(story,poll,job,comment)',
  hitsPerPage: String(PAGE_SIZE),
  numericFilters: [
    `created_at_i>=${Math.floor(since.getTime() / 1_000)}`,
    ...(before === null ? [] : [`created_at_i<=${before}`]),
  ].join(','),
});

/** Reads a page of such a search; null for an unexpected shape. */
export function readNew(json: unknown, before: number | null): PolledPage | null {
  const body = asObject(json);
  if (body === null || !Array.isArray(body.hits)) return null;
  const hits = body.hits.map(asObject);
  const times = hits.flatMap((hit) => (hit && createdAt(hit)?.getTime()) ?? []);
  return {
    texts: hits.flatMap((hit) => (hit && textOf(hit)) ?? []),
    oldest: times.length === 0 ? null : Math.min(...times),
    next: afterHits(body, hits, before),
  };
}

/** A story or comment; null for what is neither, or has no number or time. */
function textOf(hit: WireObject): StreamText | null {
  const post = mapPost(hit);
  if (post !== null) return textOfPost(post);
  const [number, createdUtc] = [itemNumber(hit.objectID), createdAt(hit)];
  if (number === null || createdUtc === null || !asArray(hit._tags).includes('comment')) return null;
  return {
    id: itemId(number),
    isComment: true,
    at: createdUtc,
    forum: forumOf(new Set(), asText(hit.story_title) ?? ''),
    title: '',
    text: plainText(hit.comment_text, MAX_BODY_LENGTH),
    author: authorOf(hit) ?? DELETED,
    createdUtc,
    flair: '',
    languages: [],
  };
}
