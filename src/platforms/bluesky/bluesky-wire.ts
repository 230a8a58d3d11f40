import { titleOf } from '../http/first-line.js';
import {
  asArray,
  asInteger,
  asObject,
  asText,
  MAX_BODY_LENGTH,
  MAX_NAME_LENGTH,
  storableText,
  storableUrl,
  visibleText,
  type WireObject,
} from '../http/response-parsing.js';
import { PLAIN_POST } from '../plain-post.js';
import {
  DELETED,
  type PlatformComment,
  type PlatformMedia,
  type PlatformPost,
  type TreePost,
} from '../platform.js';
import { linksOf, tagsOf, textOf } from './bluesky-text.js';

/** Prefix of the ids of posts and replies: `bs_DID_RKEY`. */
export const BLUESKY_PREFIX = 'bs_';
/** The forum of all posts: they have any number of tags, and belong to no community. */
const FORUM = 'bsky:bsky.app';
const URI = /^at:\/\/(did:[a-z]+:[A-Za-z0-9.:%-]{1,256})\/app\.bsky\.feed\.post\/([A-Za-z0-9._:~-]{1,512})$/;
const ID = /^bs_(did:[a-z]+:[A-Za-z0-9.:%-]{1,256})_([A-Za-z0-9._:~-]{1,512})$/;
const ADULT: ReadonlySet<string> = new Set(['porn', 'sexual', 'nudity', 'graphic-media']);
/** The label by which an account asks not to be shown to visitors. */
const NOT_FOR_VISITORS = '!no-unauthenticated';

/** A post or reply, as the AppView shows it. */
export interface BlueskyPost {
  id: string;
  uri: string;
  did: string;
  author: string;
  /** Whether the account asks not to be shown to visitors. */
  isForMembers: boolean;
  isReply: boolean;
  /** Direct replies. */
  replies: number;
  createdUtc: Date;
  record: WireObject;
  wire: WireObject;
}

/** The id of the post at an AT-URI; null for another record. */
export function idOfUri(uri: string): string | null {
  const [, did, key] = URI.exec(uri) ?? [];
  return did === undefined ? null : `${BLUESKY_PREFIX}${did}_${key}`;
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
  const uri = asText(wire?.uri) ?? '';
  const id = idOfUri(uri);
  const record = asObject(wire?.record);
  const createdUtc = timeOf(record?.createdAt, wire?.indexedAt);
  if (wire === null || id === null || record === null || createdUtc === null) return null;
  const author = asObject(wire.author);
  return {
    id,
    uri,
    did: uri.split('/')[2]!,
    author: visibleText(author?.handle, MAX_NAME_LENGTH) || DELETED,
    isForMembers: labelsOf(author?.labels).includes(NOT_FOR_VISITORS),
    isReply: asObject(record.reply) !== null,
    replies: Math.max(0, asInteger(wire.replyCount) ?? 0),
    createdUtc,
    record,
    wire,
  };
}

/** The posts among the values, each once. */
export function readPosts(values: readonly unknown[]): BlueskyPost[] {
  const posts = values.flatMap((value) => readPost(value) ?? []);
  return [...new Map(posts.map((post) => [post.id, post])).values()];
}

/** A post of a listing. A reply among them has no comments of its own: they belong to the thread that it is in. */
export function mapPost(post: BlueskyPost): PlatformPost {
  const { id, author, record, wire } = post;
  const embeds = embedsOf(wire);
  const media = mediaOf(embeds);
  const text = storableText(textOf(record), MAX_BODY_LENGTH);
  const url = linkOf(embeds, record);
  return {
    ...PLAIN_POST,
    id,
    forum: FORUM,
    title: titleOf(text) || `Post of ${author}`,
    author,
    createdUtc: post.createdUtc,
    permalink: permalinkOf(post),
    url,
    score: likesOf(wire),
    numComments: post.isReply ? 0 : post.replies,
    selftext: text,
    postType: typeOf(media, url),
    isNsfw: isAdult(post),
    flair: visibleText(
      tagsOf(record)
        .map((tag) => `#${tag}`)
        .join(', '),
      MAX_NAME_LENGTH,
    ),
    hasMedia: media.length > 0,
    mediaUrls: media.map((one) => one.url),
    media,
    languages: languagesOf(record),
  };
}

/** A reply as a comment of the thread of `post`. */
export function mapReply(
  reply: BlueskyPost,
  post: TreePost,
  place: Pick<PlatformComment, 'parentId' | 'depth'>,
): PlatformComment {
  return {
    id: reply.id,
    postId: post.id,
    forum: post.forum,
    postPermalink: post.permalink,
    ...place,
    author: reply.author,
    body: storableText(textOf(reply.record), MAX_BODY_LENGTH),
    score: likesOf(reply.wire),
    createdUtc: reply.createdUtc,
    isSubmitter: post.id.startsWith(`${BLUESKY_PREFIX}${reply.did}_`),
    languages: languagesOf(reply.record),
  };
}

/** Contains the DID, because handles change. */
function permalinkOf({ uri, did }: BlueskyPost): string {
  return `/profile/${did}/post/${uri.slice(uri.lastIndexOf('/') + 1)}`;
}

/** The earlier of the time that the writer's program states, and the one at which the AppView saw the post. */
function timeOf(created: unknown, indexed: unknown): Date | null {
  const times = [created, indexed]
    .map((time) => Date.parse(asText(time) ?? ''))
    .filter((time) => Number.isFinite(time) && time >= 0);
  return times.length === 0 ? null : new Date(Math.min(...times));
}

function languagesOf(record: WireObject): string[] {
  return asArray(record.langs).flatMap((language) => asText(language) ?? []);
}

function likesOf(wire: WireObject): number {
  return Math.max(0, asInteger(wire.likeCount) ?? 0);
}

function isAdult({ wire, record }: BlueskyPost): boolean {
  const labels = [wire.labels, asObject(wire.author)?.labels, asObject(record.labels)?.values];
  return labels.flatMap(labelsOf).some((label) => ADULT.has(label));
}

function labelsOf(labels: unknown): string[] {
  return asArray(labels).flatMap((value) => {
    const label = asObject(value);
    return label?.neg === true ? [] : (asText(label?.val) ?? []);
  });
}

/** A post can quote another one and have media. */
function embedsOf({ embed }: WireObject): WireObject[] {
  const shown = asObject(embed);
  return [asObject(shown?.media), shown].filter((one) => one !== null);
}

/** The picture of a video stands for it: the file is at the account's own server. */
function mediaOf(embeds: readonly WireObject[]): PlatformMedia[] {
  return embeds.flatMap((embed) => {
    const pictures = asArray(embed.images).map((image) => storableUrl(asObject(image)?.fullsize));
    const preview = storableUrl(embed.thumbnail);
    return [
      ...pictures.flatMap((url) => (url === null ? [] : { kind: 'image' as const, url, audioUrl: null })),
      ...(preview === null ? [] : [{ kind: 'preview' as const, url: preview, audioUrl: null }]),
    ];
  });
}

/** The address of the link card, else the first link of the text, else the quoted post. */
function linkOf(embeds: readonly WireObject[], record: WireObject): string | null {
  const cards = embeds.map(({ external }) => asObject(external)?.uri);
  const quotes = embeds.map(({ record: quoted }) => {
    const inner = asObject(quoted);
    const uri = asText(inner?.uri) ?? asText(asObject(inner?.record)?.uri) ?? '';
    const [, did, key] = URI.exec(uri) ?? [];
    return did === undefined ? null : `https://bsky.app/profile/${did}/post/${key}`;
  });
  for (const address of [...cards, ...linksOf(record), ...quotes]) {
    const url = storableUrl(address);
    if (url !== null) return url;
  }
  return null;
}

function typeOf(media: readonly PlatformMedia[], url: string | null): PlatformPost['postType'] {
  if (media.some(({ kind }) => kind === 'preview')) return 'video';
  if (media.length > 0) return 'image';
  return url === null ? 'self' : 'link';
}
