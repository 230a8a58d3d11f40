import { createHash } from 'node:crypto';
import { siteId } from '../../common/site-names.js';
import { beginningOf } from '../../common/strings.js';
import type { ForumPost } from '../forum/topic-forum.js';
import {
  asArray,
  asCount,
  asDate,
  asId,
  asInteger,
  asObject,
  asText,
  MAX_BODY_LENGTH,
  MAX_TITLE_LENGTH,
  unescaped,
  visibleName,
  visibleText,
  type WireObject,
} from '../http/response-parsing.js';
import { authorNamed, flairOf, PLAIN_POST } from '../post-fields.js';
import { type PlatformPost, UNKNOWN_RATIO } from '../platform.js';
import type { SiteClient } from '../sites/site-client.js';
import { nameOfNodebb } from './nodebb-target.js';

/** Prefix of the ids of topics and posts. */
export const NODEBB_PREFIX = 'nb_';

/** A topic of a listing, without its text; null without a number, time or title. Names and titles are escaped, `titleRaw` is not. */
export function readNodebbTopic(
  { site, path }: Pick<SiteClient, 'site' | 'path'>,
  value: unknown,
): PlatformPost | null {
  const topic = asObject(value);
  const number = asId(topic?.tid);
  const createdUtc = asDate(topic?.timestamp);
  const title = topic?.titleRaw ?? unescaped(topic?.title);
  if (topic === null || number === null || createdUtc === null || typeof title !== 'string') return null;
  const category = asId(topic.cid);
  const [up, down] = [asCount(topic.upvotes), asCount(topic.downvotes)];
  return {
    ...PLAIN_POST,
    id: siteId(NODEBB_PREFIX, site, number),
    forum: `nodebb:${nameOfNodebb({ site, category: category === null ? null : String(category) })}`,
    title: visibleText(title, MAX_TITLE_LENGTH),
    author: nameOf(topic.user),
    createdUtc,
    permalink: `${path}/topic/${number}`,
    score: up - down,
    upvoteRatio: up + down === 0 ? UNKNOWN_RATIO : up / (up + down),
    numComments: Math.max(0, asCount(topic.postcount) - 1),
    flair: flairOf(asArray(topic.tags).flatMap((tag) => visibleName(asObject(tag)?.value) || [])),
  };
}

/** Reads a post of a topic; null without a number or time. */
export function readNodebbPost(value: unknown, mainPost: string | null): ForumPost | null {
  const post = asObject(value);
  const key = keyOf(post?.pid);
  const createdUtc = asDate(post?.timestamp);
  if (post === null || key === null || createdUtc === null) return null;
  const userId = keyOf(post.uid);
  const byAuthor = userId !== null && keyOf(post.deleterUid) === userId;
  const replyTo = keyOf(post.toPid);
  return {
    key,
    replyTo: replyTo === mainPost ? null : replyTo,
    isOpening: key === mainPost,
    gone: !isDeleted(post) ? null : byAuthor ? 'deleted' : 'removed',
    author: nameOf(post.user),
    userId,
    html: beginningOf(asText(post.content) ?? '', 2 * MAX_BODY_LENGTH),
    score: asInteger(post.votes) ?? 0,
    createdUtc,
  };
}

/** Whether a topic or a post is deleted. */
export const isDeleted = ({ deleted }: WireObject): boolean => deleted === true || asInteger(deleted) === 1;

/** The number of a post or an account; a hash for one of another server, which has an address. Null for a guest. */
export function keyOf(value: unknown): string | null {
  const number = asId(value);
  if (number !== null) return String(number);
  const address = asText(value);
  return address !== null && /^https?:/.test(address)
    ? createHash('sha256').update(address).digest('hex').slice(0, 32)
    : null;
}

/** How many pages a list has; 1 where it does not say. */
export function pagesIn(body: WireObject): number {
  return Math.max(1, asCount(asObject(body.pagination)?.pageCount));
}

function nameOf(user: unknown): string {
  const name = asObject(user)?.username;
  return authorNamed(name === '[[global:former-user]]' ? null : unescaped(name));
}
