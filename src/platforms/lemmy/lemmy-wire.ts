import {
  asArray,
  asCount,
  asId,
  asInteger,
  asKey,
  asNumber,
  asObject,
  asText,
  asTime,
  MAX_BODY_LENGTH,
  MAX_NAME_LENGTH,
  MAX_TITLE_LENGTH,
  storableText,
  visibleName,
  visibleText,
  storableUrl,
  type WireObject,
} from '../http/response-parsing.js';
import { siteId } from '../../common/site-names.js';
import { filesAt, linkFields, PLAIN_POST, threadFields } from '../post-fields.js';
import {
  DELETED,
  type PlatformComment,
  type PlatformPost,
  type TreePost,
  UNKNOWN_RATIO,
} from '../platform.js';

/** Prefix of the ids of posts and comments. */
export const LEMMY_PREFIX = 'lm_';
/** Stands for the title and the text of content that has been deleted for good. */
const DELETED_FOR_GOOD = '*Permanently Deleted*';
/** The path of an instance's proxy of pictures: up to version 0.19, and from 1.0 on. */
const PROXY = /\/image(?:_|\/)proxy$/;
const MAX_PROXIES = 5;
const IMAGE = /\.(?:jpe?g|png|gif|webp|avif)$/i;
const VIDEO = /\.(?:mp4|webm|mov)$/i;

/** A comment in its thread. */
export interface LemmyComment {
  id: number;
  /** Ids from the top-level comment to this one. */
  path: number[];
  /** Number of all comments below it. */
  childCount: number;
  isDeleted: boolean;
  isRemoved: boolean;
  /** Whether it is not stored, by the wish of its account. */
  isLeftOut: boolean;
  /** The view as received, for {@link mapComment}. */
  view: WireObject;
}

/** The posts among the views of a response that are not gone. Version 1.0 keeps the counts within posts, earlier ones next to them. */
export function mapPosts(site: string, views: readonly unknown[]): PlatformPost[] {
  return views.flatMap((view) => mapPost(site, asObject(view)) ?? []);
}

function mapPost(site: string, view: WireObject | null): PlatformPost | null {
  const post = asObject(view?.post);
  const id = asId(post?.id);
  const createdUtc = post === null ? null : dateOf(post);
  if (view === null || post === null || id === null || createdUtc === null || typeof post.name !== 'string')
    return null;
  if (!isListed(view)) return null;
  const counts = asObject(view.counts) ?? post;
  const address = storableUrl(post.url);
  const url = address && sourceOf(address);
  const kind = url === null ? null : kindOf(url, asText(post.url_content_type) ?? '');
  return {
    ...PLAIN_POST,
    id: siteId(LEMMY_PREFIX, site, id),
    forum: `lemmy:${forumOf(site, view) ?? DELETED}`,
    title: visibleText(post.name, MAX_TITLE_LENGTH),
    author: nameOf(view.creator, site),
    createdUtc,
    permalink: pageOf(post) ?? `/post/${id}`,
    ...linkFields(url, kind === null ? [] : filesAt(kind, [url])),
    score: asInteger(counts.score) ?? 0,
    upvoteRatio: ratioOf(asNumber(counts.upvotes) ?? 0, asNumber(counts.downvotes) ?? 0),
    numComments: asCount(counts.comments),
    selftext: storableText(post.body, MAX_BODY_LENGTH),
    isNsfw: post.nsfw === true || asObject(view.community)?.nsfw === true,
  };
}

/** The community of a post or comment with its home: `technology@lemmy.example`; null without one. */
export function forumOf(site: string, view: WireObject): string | null {
  return asObject(view.community) && nameOf(view.community, site, true);
}

/** Whether a post's view says that the post is gone, and by whom. */
export function goneReasonOf(view: unknown): 'deleted' | 'removed' | null {
  const post = asObject(asObject(view)?.post);
  if (post?.removed === true) return 'removed';
  return post?.deleted === true || post?.name === DELETED_FOR_GOOD ? 'deleted' : null;
}

/** Whether a post's view shows a post that is stored: one that is not gone, and that its dialect does not leave out. */
export function isListed(view: unknown): boolean {
  return goneReasonOf(view) === null && asObject(view)?.isLeftOut !== true;
}

/** The path of a post's page where its dialect states it, which has magazines. */
function pageOf(post: WireObject): string | null {
  const page = storableUrl(post.page);
  return page?.startsWith('/m/') ? page : null;
}

/** The comments among the views of a response. */
export function readComments(views: readonly unknown[]): LemmyComment[] {
  return views.flatMap((value) => {
    const view = asObject(value);
    const comment = asObject(view?.comment);
    const id = asId(comment?.id);
    const path = (asText(comment?.path) ?? '').split('.').slice(1).map(Number);
    if (view === null || comment === null || id === null || path.at(-1) !== id) return [];
    const counts = asObject(view.counts) ?? comment;
    return {
      id,
      path,
      childCount: asCount(counts.child_count),
      isDeleted: comment.deleted === true || comment.content === DELETED_FOR_GOOD,
      isRemoved: comment.removed === true,
      isLeftOut: view.isLeftOut === true,
      view,
    };
  });
}

/** A comment as the service stores it; null when its creation time is missing. */
export function mapComment(site: string, post: TreePost, comment: LemmyComment): PlatformComment | null {
  const { view, path, id } = comment;
  const wire = asObject(view.comment)!;
  const createdUtc = dateOf(wire);
  if (createdUtc === null) return null;
  const counts = asObject(view.counts) ?? wire;
  const parent = path.at(-2);
  return {
    id: siteId(LEMMY_PREFIX, site, id),
    ...threadFields(post),
    parentId: parent === undefined ? post.id : siteId(LEMMY_PREFIX, site, parent),
    author: nameOf(view.creator, site),
    body: storableText(wire.content, MAX_BODY_LENGTH),
    score: asInteger(counts.score) ?? 0,
    createdUtc,
    depth: path.length - 1,
    isSubmitter: wire.creator_id !== undefined && wire.creator_id === asObject(view.post)?.creator_id,
  };
}

/** The name of an account or community with the host of its home, which is left out if it is `site`, unless `isWhole`. */
function nameOf(value: unknown, site: string, isWhole = false): string {
  const actor = asObject(value);
  const name = visibleName(actor?.name);
  if (actor === null || name === '') return DELETED;
  const address = storableUrl(actor.actor_id) ?? storableUrl(actor.ap_id) ?? '';
  const host = URL.canParse(address) ? new URL(address).host : null;
  const isHere = host === null || actor.local === true;
  return isHere && !isWhole ? name : storableText(`${name}@${host ?? site}`, MAX_NAME_LENGTH);
}

/** The kind of the file at an address; null where it is none. */
function kindOf(url: string, contentType: string): 'image' | 'video' | null {
  const path = URL.canParse(url) ? new URL(url).pathname : '';
  if (contentType.startsWith('image/') || IMAGE.test(path)) return 'image';
  return contentType.startsWith('video/') || VIDEO.test(path) ? 'video' : null;
}

/** The address of a picture that instances show through their proxies, one within the other. */
function sourceOf(url: string): string {
  for (let proxies = 0; proxies < MAX_PROXIES; proxies += 1) {
    const parsed = URL.canParse(url) ? new URL(url) : null;
    const source = parsed !== null && PROXY.test(parsed.pathname) ? parsed.searchParams.get('url') : null;
    if (source === null || !/^https?:\/\//i.test(source)) return url;
    url = source;
  }
  return url;
}

function ratioOf(upvotes: number, downvotes: number): number {
  const votes = upvotes + downvotes;
  return votes > 0 && upvotes >= 0 && downvotes >= 0 ? upvotes / votes : UNKNOWN_RATIO;
}

/** When what a view shows was written, in epoch milliseconds; null when it does not say. */
export function timeOf(view: unknown, kind: 'post' | 'comment'): number | null {
  const wire = asObject(asObject(view)?.[kind]);
  return (wire && dateOf(wire)?.getTime()) ?? null;
}

/** Times of 0.18 have no zone and are UTC. */
function dateOf(wire: WireObject): Date | null {
  return asTime(asText(wire.published_at) ?? wire.published);
}

/** The list of a response, whatever versions call it, and the cursor of the next page; null without a list. */
export function viewsIn(json: unknown): { views: readonly unknown[]; next: string | null } | null {
  const { items, posts, comments, next_page: next } = asObject(json) ?? {};
  const views = items ?? posts ?? comments;
  return Array.isArray(views) ? { views: asArray(views), next: asKey(next) } : null;
}

/** Whether a comment's text is stored. */
export const isShown = ({ isDeleted, isRemoved, isLeftOut }: LemmyComment): boolean =>
  !isDeleted && !isRemoved && !isLeftOut;

/** How many comments a thread has according to its comments, beyond those that are there. */
export function missingOf(comments: readonly LemmyComment[]): number {
  const top = comments.filter(({ path }) => path.length === 1);
  const told = top.reduce((sum, { childCount }) => sum + 1 + childCount, 0);
  return Math.max(0, told - comments.length);
}
