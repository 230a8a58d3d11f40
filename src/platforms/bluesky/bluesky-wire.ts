import { distinctBy } from '../../common/collections.js';
import {
  asCount,
  asObject,
  asObjects,
  asText,
  asTexts,
  asTime,
  MAX_BODY_LENGTH,
  storableText,
  storableUrl,
  type WireObject,
} from '../http/response-parsing.js';
import type { PlatformComment, PlatformPost, TreePost } from '../platform.js';
import { authorNamed, filesAt, flairOf, linkFields } from '../post-fields.js';
import { type ShortPost, shortPost, shortReply } from '../short-posts.js';
import { linksOf, tagsOf, textOf } from './bluesky-text.js';

/** Prefix of the ids of posts and replies: `bs_DID_RKEY`. */
export const BLUESKY_PREFIX = 'bs_';
/** The forum of all posts: they have any number of tags, and belong to no community. */
export const FORUM = 'bsky:bsky.app';
const URI = /^at:\/\/(did:[a-z]+:[A-Za-z0-9.:%-]{1,256})\/app\.bsky\.feed\.post\/([A-Za-z0-9._:~-]{1,512})$/;
const ID = /^bs_(did:[a-z]+:[A-Za-z0-9.:%-]{1,256})_([A-Za-z0-9._:~-]{1,512})$/;
const ADULT: ReadonlySet<string> = new Set(['porn', 'sexual', 'nudity', 'graphic-media']);
/** The label by which an account asks not to be shown to visitors. */
const NOT_FOR_VISITORS = '!no-unauthenticated';

/** Stands for the handle of an account whose domain does not confirm it. */
const NO_HANDLE = /^(?:handle\.invalid)?$/i;

/** A post or reply, as the AppView shows it. */
export interface BlueskyPost extends ShortPost {
  permalink: string;
  record: WireObject;
  wire: WireObject;
}

/** The id of the post at an AT-URI, and its path with the DID, because handles change; null for another record. */
export function postAt(uri: string): { id: string; permalink: string } | null {
  const [, did, key] = URI.exec(uri) ?? [];
  return did === undefined
    ? null
    : { id: `${BLUESKY_PREFIX}${did}_${key}`, permalink: `/profile/${did}/post/${key}` };
}

/** The AT-URI of a post; null for an id of another form. */
export function uriOfId(id: string): string | null {
  const [, did, key] = ID.exec(id) ?? [];
  return did === undefined ? null : `at://${did}/app.bsky.feed.post/${key}`;
}

/** The beginning of the ids of all content of the account that wrote a post; null for an id of another form. */
export function accountOfId(id: string): string | null {
  const [, did] = ID.exec(id) ?? [];
  return did === undefined ? null : `${BLUESKY_PREFIX}${did}_`;
}

/** Reads a post; null for anything without an id, a record or a time. */
export function readPost(value: unknown): BlueskyPost | null {
  const wire = asObject(value);
  const post = postAt(asText(wire?.uri) ?? '');
  const record = asObject(wire?.record);
  const createdUtc = timeOf(record?.createdAt, wire?.indexedAt);
  if (wire === null || post === null || record === null || createdUtc === null) return null;
  const author = asObject(wire.author);
  return {
    ...post,
    author: authorNamed(NO_HANDLE.test(asText(author?.handle) ?? '') ? author?.did : author?.handle),
    isUnindexed: labelsOf(author?.labels).includes(NOT_FOR_VISITORS),
    isReply: asObject(record.reply) !== null,
    replies: asCount(wire.replyCount),
    likes: asCount(wire.likeCount),
    createdUtc,
    text: storableText(textOf(record), MAX_BODY_LENGTH),
    languages: asTexts(record.langs),
    record,
    wire,
  };
}

/** The posts among the values, each once. */
export function readPosts(values: readonly unknown[]): BlueskyPost[] {
  const posts = values.flatMap((value) => readPost(value) ?? []);
  return distinctBy(posts, ({ id }) => id);
}

/** A post of a listing. The picture of a video stands for it: the file is at the account's own server. */
export function mapPost(post: BlueskyPost): PlatformPost {
  const { permalink, record, wire } = post;
  // A post can quote another one and have media.
  const shown = asObject(wire.embed);
  const embeds = asObjects([shown?.media, shown]);
  // More than four pictures are the items of a gallery.
  const files = embeds.flatMap(({ images, items, thumbnail }) => {
    const pictures = asObjects(images ?? items).map(({ fullsize }) => fullsize);
    return [...filesAt('image', pictures), ...filesAt('preview', [thumbnail])];
  });
  const labels = [wire.labels, asObject(wire.author)?.labels, asObject(record.labels)?.values];
  return {
    ...shortPost(post, 'Post'),
    forum: FORUM,
    permalink,
    ...linkFields(linkOf(embeds, record), files),
    isNsfw: labels.flatMap(labelsOf).some((label) => ADULT.has(label)),
    flair: flairOf(tagsOf(record).map((tag) => `#${tag}`)),
  };
}

/** A reply as a comment of the thread of `post`. */
export function mapReply(
  reply: BlueskyPost,
  post: TreePost,
  place: Pick<PlatformComment, 'parentId' | 'depth'>,
): PlatformComment {
  return shortReply(reply, post, { ...place, isSubmitter: accountOfId(reply.id) === accountOfId(post.id) });
}

/** The ids of the first post of a reply's thread, and of what it replies to; null for a post that is no reply. */
export function placeOf({ record }: BlueskyPost): { rootId: string; parentId: string } | null {
  const reply = asObject(record.reply);
  const [root, parent] = [reply?.root, reply?.parent].map((ref) => postAt(asText(asObject(ref)?.uri) ?? ''));
  return root && parent ? { rootId: root.id, parentId: parent.id } : null;
}

/** The earlier of the time that the writer's program states, and the one at which the AppView saw the post. */
function timeOf(created: unknown, indexed: unknown): Date | null {
  const times = [created, indexed].map((time) => asTime(time)?.getTime() ?? -1).filter((time) => time >= 0);
  return times.length === 0 ? null : new Date(Math.min(...times));
}

function labelsOf(labels: unknown): string[] {
  return asTexts(asObjects(labels).map(({ neg, val }) => neg !== true && val));
}

/** The address of the link card, else the first link of the text, else the quoted post. */
function linkOf(embeds: readonly WireObject[], record: WireObject): string | null {
  const cards = embeds.map(({ external }) => asObject(external)?.uri);
  const quotes = embeds.map(({ record: quoted }) => {
    const inner = asObject(quoted);
    const post = postAt(asText(inner?.uri) ?? asText(asObject(inner?.record)?.uri) ?? '');
    return post && `https://bsky.app${post.permalink}`;
  });
  const [url] = [...cards, ...linksOf(record), ...quotes].flatMap((address) => storableUrl(address) ?? []);
  return url ?? null;
}
