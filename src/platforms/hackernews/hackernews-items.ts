import { decodeHTMLStrict } from 'entities';
import { beginningOf } from '../../common/strings.js';
import {
  asArray,
  asCount,
  asDate,
  asInteger,
  asNumber,
  asText,
  asTime,
  MAX_BODY_LENGTH,
  MAX_TITLE_LENGTH,
  storableUrl,
  visibleName,
  visibleText,
  type WireObject,
} from '../http/response-parsing.js';
import { PLAIN_POST, threadFields } from '../post-fields.js';
import { DELETED, type PlatformComment, type PlatformPost, type TreePost } from '../platform.js';
import { plainText } from '../http/plain-text.js';

const POST_TYPES = new Set(['story', 'poll', 'job']);

/**
 * Number of an item, given as a number or text. Null when it is neither, or longer than the 15 digits that can be
 * stored.
 */
export function itemNumber(value: unknown): number | null {
  const number = asNumber(value);
  return number !== null && Number.isInteger(number) && number > 0 && number < 1e15 ? number : null;
}

/** The number of a platform id. */
export const numberOf = (id: string): number => Number(id.replace(/^hn_/, ''));

/** Platform id of an item: `hn_123`. */
export function itemId(number: number): string {
  return `hn_${number}`;
}

/** Path of an item on the site. */
function itemPath(number: number): string {
  return `/item?id=${number}`;
}

/** Creation time of an item, from its formatted time if the number is missing. Null when it has neither. */
export function createdAt(item: WireObject): Date | null {
  return asDate(item.created_at_i) ?? asTime(item.created_at);
}

/**
 * Maps a post of a search. Null for comments, and when number, title or creation time is missing. Comment counts lag
 * behind the index: a post without a count but with children has comments.
 */
export function mapPost(hit: WireObject): PlatformPost | null {
  const number = itemNumber(hit.objectID);
  const createdUtc = createdAt(hit);
  const tags = new Set(asArray(hit._tags));
  if (number === null || createdUtc === null || typeof hit.title !== 'string') return null;
  if (tags.size > 0 && ![...POST_TYPES].some((type) => tags.has(type))) return null;
  const title = visibleText(decodeHTMLStrict(beginningOf(hit.title, 2 * MAX_TITLE_LENGTH)), MAX_TITLE_LENGTH);
  const url = storableUrl(hit.url);
  return {
    ...PLAIN_POST,
    id: itemId(number),
    forum: forumOf(tags, title),
    title,
    author: authorOf(hit) ?? DELETED,
    createdUtc,
    permalink: itemPath(number),
    url,
    score: asInteger(hit.points) ?? 0,
    numComments: asCount(hit.num_comments) || asArray(hit.children).length,
    selftext: plainText(hit.story_text, MAX_BODY_LENGTH),
    postType: url === null ? 'self' : 'link',
  };
}

/** The forum of a post, derived from its tags, or from its title when it has no tags. */
export function forumOf(tags: ReadonlySet<unknown>, title: string): string {
  if (tags.has('job')) return 'hn:job';
  if (tags.has('show_hn') || (tags.size === 0 && /^show hn\b/i.test(title))) return 'hn:show';
  if (tags.has('ask_hn') || (tags.size === 0 && /^ask hn\b/i.test(title))) return 'hn:ask';
  return 'hn:story';
}

/** The data of the thread that mapping a comment needs. */
export interface CommentContext {
  post: TreePost;
  postAuthor: string | null;
  /** Creation time of the thread, used for nodes without one. */
  postCreatedUtc: Date;
  parentId: string;
  depth: number;
}

/**
 * Maps a node of a thread. Null when it has no number, and when it was deleted.
 */
export function mapComment(node: WireObject, context: CommentContext): PlatformComment | null {
  const number = itemNumber(node.id);
  const author = authorOf(node);
  if (number === null || isDeleted(node)) return null;
  return {
    id: itemId(number),
    ...threadFields(context.post),
    parentId: context.parentId,
    author: author ?? DELETED,
    body: plainText(node.text, MAX_BODY_LENGTH),
    score: 0,
    createdUtc: createdAt(node) ?? context.postCreatedUtc,
    depth: context.depth,
    isSubmitter: author !== null && author === context.postAuthor,
  };
}

/** Whether a node was deleted: such nodes have neither author nor text. */
export function isDeleted(node: WireObject): boolean {
  return authorOf(node) === null && asText(node.text) === null;
}

/** Author of an item; null when it has none. */
export function authorOf(item: WireObject): string | null {
  return visibleName(item.author) || null;
}
