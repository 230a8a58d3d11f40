import {
  DELETED,
  type PlatformComment,
  type PlatformPost,
  type TreePost,
  UNKNOWN_RATIO,
} from '../platform.js';
import { mediaOf } from './media.js';
import {
  asDate,
  asInteger,
  asNumber,
  asText,
  MAX_BODY_LENGTH,
  MAX_NAME_LENGTH,
  MAX_TITLE_LENGTH,
  storableText,
  storableUrl,
  visibleName,
  visibleText,
  type WireObject,
} from '../http/response-parsing.js';
import { authorNamed } from '../post-fields.js';
import { asFullName, bareId } from './wire.js';

const SITE = 'https://www.reddit.com';

/**
 * Maps a post row of a listing or a lookup (requested with `raw_json=1`), or an unescaped row of an archive. Null when
 * id, title or creation time is missing. URLs that are too long to store are left out and added to `droppedUrls`.
 */
export function mapPost(row: WireObject, droppedUrls?: Set<string>): PlatformPost | null {
  const id = asFullName('t3', row.name) ?? asFullName('t3', row.id);
  const createdUtc = asDate(row.created_utc);
  if (id === null || createdUtc === null || typeof row.title !== 'string') return null;
  const forum = forumOf(row);
  const { postType, media } = mediaOf(row, droppedUrls);
  const mediaUrls = media.filter((medium) => medium.kind !== 'preview').map((medium) => medium.url);
  return {
    id,
    forum,
    title: visibleText(row.title, MAX_TITLE_LENGTH),
    author: authorOf(row),
    createdUtc,
    permalink: pathOf(row.permalink) ?? `/r/${forum}/comments/${bareId(id)}/`,
    url: absolute(storableUrl(row.url, droppedUrls)),
    score: scoreOf(row),
    upvoteRatio: ratioOf(row),
    numComments: Math.max(0, asInteger(row.num_comments) ?? 0),
    selftext: storableText(row.selftext, MAX_BODY_LENGTH),
    postType,
    isNsfw: row.over_18 === true,
    isSpoiler: row.spoiler === true,
    flair: visibleName(row.link_flair_text),
    totalAwards: Math.max(0, asInteger(row.total_awards_received) ?? asInteger(row.gilded) ?? 0),
    hasMedia: mediaUrls.length > 0 || postType === 'image' || postType === 'video',
    mediaUrls,
    media,
  };
}

/** The data besides its row that mapping a comment needs. */
export interface CommentContext {
  post: TreePost;
  /** Author and creation time of the post, if the tree's first response contained them. */
  postAuthor: string | null;
  postCreatedUtc: Date | null;
  depth: number;
}

/** Full name of a comment row; null when it has no valid id. */
export function commentId(row: WireObject): string | null {
  return asFullName('t1', row.name) ?? asFullName('t1', row.id);
}

/**
 * Full name of the parent (post or comment) of a comment row or stub; null when the row has none. Archives send the id
 * as a number: it is the post's if it equals the row's `link_id`, otherwise a comment's.
 */
export function parentOf(row: WireObject): string | null {
  const parent = row.parent_id ?? row.parent;
  if (typeof parent === 'number' && Number.isSafeInteger(parent) && parent > 0) {
    const bare = parent.toString(36);
    const post = asFullName('t3', row.link_id);
    return post === `t3_${bare}` ? post : `t1_${bare}`;
  }
  if (typeof parent !== 'string') return null;
  return parent.startsWith('t3_') ? asFullName('t3', parent) : asFullName('t1', parent);
}

/** Maps a comment row. Null when it has no id, or when neither it nor the post has a creation time. */
export function mapComment(row: WireObject, context: CommentContext): PlatformComment | null {
  const id = commentId(row);
  const createdUtc = asDate(row.created_utc) ?? context.postCreatedUtc;
  if (id === null || createdUtc === null) return null;
  const author = authorOf(row);
  return {
    id,
    postId: context.post.id,
    forum: context.post.forum,
    postPermalink: context.post.permalink,
    parentId: parentOf(row) ?? context.post.id,
    author,
    body: storableText(row.body ?? row.contentText, MAX_BODY_LENGTH),
    score: scoreOf(row),
    createdUtc,
    depth: context.depth,
    isSubmitter:
      typeof row.is_submitter === 'boolean'
        ? row.is_submitter
        : author !== DELETED && author === context.postAuthor,
  };
}

function authorOf(row: WireObject): string {
  return authorNamed(row.author);
}

function scoreOf(row: WireObject): number {
  const score = asInteger(row.score);
  if (score !== null) return score;
  const ups = asInteger(row.ups);
  return ups === null ? 0 : ups - (asInteger(row.downs) ?? 0);
}

function ratioOf(row: WireObject): number {
  const ratio = asNumber(row.upvote_ratio);
  return ratio === null ? UNKNOWN_RATIO : Math.max(0, Math.min(1, ratio));
}

/** The forum of a post or comment row, from its name or its path; "" when it has neither. */
export function forumOf(row: WireObject): string {
  const named = asText(row.subreddit) ?? asText(row.subreddit_name_prefixed);
  if (named !== null)
    // The forum of a user's profile is named `u_name`.
    return storableText(named, MAX_NAME_LENGTH)
      .replace(/^\/?r\//, '')
      .replace(/^\/?u\//, 'u_');
  const [, type, name] = /^\/(r|u|user)\/([^/]+)\//.exec(pathOf(row.permalink) ?? '') ?? [];
  return name === undefined ? '' : `${type === 'r' ? '' : 'u_'}${name}`;
}

/**
 * The path of a permalink given as a path or URL. Null for anything else, and when the name of its forum is too long to
 * store.
 */
export function pathOf(permalink: unknown): string | null {
  const path = storableUrl(permalink)?.replace(/^https?:\/\/[^/]+/i, '');
  if (!path?.startsWith('/')) return null;
  return (path.split('/', 3)[2] ?? '').length > MAX_NAME_LENGTH ? null : path;
}

function absolute(url: string | null): string | null {
  return url?.startsWith('/') && !url.startsWith('//') ? `${SITE}${url}` : url;
}
